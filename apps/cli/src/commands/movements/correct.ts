import { type CorrectMovementInput, type FinancialClient, MalformedAnswerError } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCategoryId } from '../shared/resolve-id.js';
import { sendWrite } from '../shared/write.js';
import { loadMovementView } from './movement-view.js';

interface CorrectMovementFlags extends WriteFlags {
  readonly amount?: string;
  readonly category?: string;
  readonly description?: string;
  readonly merchantName?: string;
  readonly ifMatch?: string;
}

export function addMovementsCorrect(movements: Command, cli: Cli): void {
  defineCommand<CorrectMovementFlags>(movements, cli, {
    usage: 'correct <id>',
    summary: 'Correct a movement; an empty text clears the field, an empty category sets the category "unknown"',
    examples: [
      'centavo movements correct 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 --amount 13.00',
      'centavo movements correct 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 --description "" --if-match \'"Zhwb3UGIILGSEkMKOJmBJX"\'',
    ],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--amount <amount>', 'decimal amount such as 12.50')
        .option('--category <category>', 'id or name; "" sets the category "unknown"')
        .option('--description <text>', '"" clears it')
        .option('--merchant-name <text>', '"" clears it')
        .option(
          '--if-match <etag>',
          'correct the movement only if it has this version, the ETAG of "movements show" (default: the current version)',
        ),
    act: async (context, flags, [id = '']) => {
      const client = await context.clientInTracker();
      const body = await readPatch(client, flags);
      if (Object.keys(body).length === 0) {
        throw new UsageError(
          'The correction changes nothing.',
          'Add --amount, --category, --description or --merchant-name.',
        );
      }
      const readEtag = async () => flags.ifMatch ?? (await requireEtag(client, id));
      const response = await sendWrite(context, flags, {
        call: 'movements.correct',
        pathParameters: { movementId: id },
        body,
        preview: async (options) =>
          client.movements.correct(id, body, { etag: await readEtag(), ...options }).withResponse(),
        send: async (idempotencyKey) =>
          client.movements.correct(id, body, { etag: await readEtag(), idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This movement was corrected with this idempotency key before; nothing was changed.');
      await context.printer.printRecord(response.data, await loadMovementView(context, client));
    },
  });
}

/** Returns the fields that the flags name. The API does not change an absent field, and null clears a field. */
async function readPatch(client: FinancialClient, flags: CorrectMovementFlags): Promise<CorrectMovementInput> {
  const { amount, category, description, merchantName } = flags;
  return {
    ...(amount !== undefined && { amountDecimal: amount }),
    ...(category !== undefined && { categoryId: category === '' ? null : await requireCategoryId(client, category) }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(merchantName !== undefined && { merchantName: merchantName === '' ? null : merchantName }),
  };
}

async function requireEtag(client: FinancialClient, id: string): Promise<string> {
  const { etag } = await client.movements.get(id).withResponse();
  if (etag === null) {
    throw new MalformedAnswerError({ message: 'The response has no ETag.', idempotencyKey: null });
  }
  return etag;
}
