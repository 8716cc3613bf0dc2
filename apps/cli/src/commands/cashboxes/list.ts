import type { Command } from 'commander';
import { cashboxView } from '../accounts/account-view.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireAccountId } from '../shared/resolve-id.js';

export function addCashboxesList(cashboxes: Command, cli: Cli): void {
  defineCommand(cashboxes, cli, {
    usage: 'list <account>',
    summary: 'List the cashboxes of an account (id or name)',
    examples: ['centavo cashboxes list Checking'],
    act: async (context, _flags, [account = '']) => {
      const client = await context.clientInTracker();
      const accountId = await requireAccountId(client, account);
      await context.printer.printRecords(client.accounts.cashboxes(accountId), cashboxView);
    },
  });
}
