import type { CreateCashboxInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { cashboxView } from '../accounts/account-view.js';
import { type ConfirmedFlags, confirmNewName, yesToDuplicateName } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireAccountId } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addCashboxesCreate(cashboxes: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags & { openingBalance?: string }>(cashboxes, cli, {
    usage: 'create <account> <name>',
    summary: 'Add a cashbox to an account (id or name)',
    examples: ['centavo cashboxes create Checking "Savings jar" --opening-balance 100.00'],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command.option('--opening-balance <amount>', 'signed decimal amount (default: 0)').option(...yesToDuplicateName),
    caller: 'user',
    act: async (context, flags, [account = '', name = '']) => {
      const client = await context.clientInTracker();
      const accountId = await requireAccountId(client, account);
      const { data: records } = await client.accounts.cashboxes(accountId);
      await confirmNewName(context, flags, { noun: 'cashbox', name, records });
      const body: CreateCashboxInput = { name, openingBalanceDecimal: flags.openingBalance };
      const cashbox = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'accounts.createCashbox',
        pathParameters: { accountId },
        body,
        preview: (options) => client.accounts.createCashbox(accountId, body, options).withResponse(),
        send: () => client.accounts.createCashbox(accountId, body),
      });
      if (cashbox !== undefined) await context.printer.printRecord(cashbox, cashboxView);
    },
  });
}
