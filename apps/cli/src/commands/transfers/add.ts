import { descriptionLengthMax } from '@centavo/contracts/calls';
import type { CreateTransferInput, FinancialClient } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireAccountId, requireCashboxId } from '../shared/resolve-id.js';
import { sendWrite } from '../shared/write.js';
import { loadTransferView } from './transfer-view.js';

interface AddTransferFlags extends WriteFlags {
  readonly amount: string;
  readonly fromAccount: string;
  readonly fromCashbox?: string;
  readonly toAccount: string;
  readonly toCashbox?: string;
  readonly occurredOn?: string;
  readonly currency?: string;
  readonly description?: string;
}

export function addTransfersAdd(transfers: Command, cli: Cli): void {
  defineCommand<AddTransferFlags>(transfers, cli, {
    usage: 'add',
    summary: 'Move money between two accounts or cashboxes',
    examples: ['centavo transfers add --amount 250 --from-account Checking --to-account "Platinum Card"'],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .requiredOption('--amount <amount>', 'decimal amount such as 12.50')
        .requiredOption('--from-account <account>', 'id or name')
        .option('--from-cashbox <cashbox>', 'id or name; required if the account has several active cashboxes')
        .requiredOption('--to-account <account>', 'id or name')
        .option('--to-cashbox <cashbox>', 'id or name; required if the account has several active cashboxes')
        .option('--occurred-on <date>', "YYYY-MM-DD (default: today in the tracker's time zone)")
        .option('--currency <code>', 'ISO 4217 code; must be the currency of both accounts')
        .option('--description <text>', `up to ${descriptionLengthMax} characters`),
    act: async (context, flags) => {
      const client = await context.clientInTracker();
      const from = await requireSide(client, flags.fromAccount, flags.fromCashbox);
      const to = await requireSide(client, flags.toAccount, flags.toCashbox);
      const body: CreateTransferInput = {
        amountDecimal: flags.amount,
        fromAccountId: from.accountId,
        fromCashboxId: from.cashboxId,
        toAccountId: to.accountId,
        toCashboxId: to.cashboxId,
        occurredOn: flags.occurredOn,
        currencyCode: flags.currency,
        description: flags.description,
      };
      const response = await sendWrite(context, flags, {
        call: 'transfers.create',
        body,
        preview: (options) => client.transfers.create(body, options).withResponse(),
        send: (idempotencyKey) => client.transfers.create(body, { idempotencyKey }).withResponse(),
      });
      if (response === undefined) return;
      if (response.replayed)
        context.printer.note('This transfer was recorded with this idempotency key before; nothing was added.');
      await context.printer.printRecord(response.data, await loadTransferView(context, client));
    },
  });
}

async function requireSide(
  client: FinancialClient,
  account: string,
  cashbox: string | undefined,
): Promise<{ accountId: string; cashboxId: string | undefined }> {
  const accountId = await requireAccountId(client, account);
  const cashboxId = cashbox === undefined ? undefined : await requireCashboxId(client, cashbox, accountId);
  return { accountId, cashboxId };
}
