import { MalformedAnswerError } from '@centavo/sdk';
import type { Command } from 'commander';
import { type ConfirmedFlags, confirmAction, yesOption } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { sendWrite } from '../shared/write.js';
import { loadMovementView } from './movement-view.js';

export function addMovementsVoid(movements: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags>(movements, cli, {
    usage: 'void <id>',
    summary: 'Void a movement: it remains readable and no longer counts; this cannot be undone',
    examples: ['centavo movements void 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11'],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) => command.option(...yesOption),
    act: async (context, flags, [id = '']) => {
      const client = await context.clientInTracker();
      const { data: movement, etag } = await client.movements.get(id).withResponse();
      if (etag === null) {
        throw new MalformedAnswerError({ message: 'The response has no ETag.', idempotencyKey: null });
      }
      await confirmAction(
        context,
        flags,
        `Void the ${movement.type} of ${movement.amountDecimal} ${movement.currencyCode} on ${movement.occurredOn}? This cannot be undone.`,
      );
      const response = await sendWrite(context, flags, {
        call: 'movements.void',
        pathParameters: { movementId: id },
        body: {},
        preview: (options) => client.movements.void(id, { etag, ...options }).withResponse(),
        send: (idempotencyKey) => client.movements.void(id, { etag, idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This movement was voided with this idempotency key before; nothing was changed.');
      await context.printer.printRecord(response.data, await loadMovementView(context, client));
    },
  });
}
