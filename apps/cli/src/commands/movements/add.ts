import { descriptionLengthMax, merchantNameLengthMax } from '@centavo/contracts/calls';
import type { CreateMovementInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireAccountId, requireCashboxId, requireCategoryId } from '../shared/resolve-id.js';
import { sendWrite } from '../shared/write.js';
import { loadMovementView } from './movement-view.js';

interface AddMovementFlags extends WriteFlags {
  readonly type: string;
  readonly amount: string;
  readonly account: string;
  readonly cashbox?: string;
  readonly category?: string;
  readonly occurredOn?: string;
  readonly currency?: string;
  readonly description?: string;
  readonly merchantName?: string;
  readonly externalId?: string;
}

export function addMovementsAdd(movements: Command, cli: Cli): void {
  defineCommand<AddMovementFlags>(movements, cli, {
    usage: 'add',
    summary: 'Record an expense or income',
    examples: [
      'centavo movements add --type expense --amount 12.50 --account Checking --category Groceries',
      'centavo movements add --type income --amount 2000 --account Checking --occurred-on 2026-01-31 --description Paycheck',
    ],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .requiredOption('--type <type>', 'expense or income')
        .requiredOption('--amount <amount>', 'decimal amount such as 12.50')
        .requiredOption('--account <account>', 'id or name')
        .option('--cashbox <cashbox>', 'id or name; required if the account has several active cashboxes')
        .option('--category <category>', 'id or name')
        .option('--occurred-on <date>', "YYYY-MM-DD (default: today in the tracker's time zone)")
        .option('--currency <code>', 'ISO 4217 code; must be the currency of the account')
        .option('--description <text>', `up to ${descriptionLengthMax} characters`)
        .option('--merchant-name <text>', `up to ${merchantNameLengthMax} characters`)
        .option(
          '--external-id <id>',
          'id in another system; refused if another movement of the account has it, except a voided one',
        ),
    act: async (context, flags) => {
      const client = await context.clientInTracker();
      const accountId = await requireAccountId(client, flags.account);
      const body: CreateMovementInput = {
        type: flags.type as CreateMovementInput['type'],
        amountDecimal: flags.amount,
        accountId,
        cashboxId: flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, accountId),
        categoryId: flags.category === undefined ? undefined : await requireCategoryId(client, flags.category),
        occurredOn: flags.occurredOn,
        currencyCode: flags.currency,
        description: flags.description,
        merchantName: flags.merchantName,
        externalId: flags.externalId,
      };
      const response = await sendWrite(context, flags, {
        call: 'movements.create',
        body,
        preview: (options) => client.movements.create(body, options).withResponse(),
        send: (idempotencyKey) => client.movements.create(body, { idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This movement was recorded with this idempotency key before; nothing was added.');
      await context.printer.printRecord(response.data, await loadMovementView(context, client));
    },
  });
}
