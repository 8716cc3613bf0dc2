import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { accountView } from './account-view.js';

export function addAccountsList(accounts: Command, cli: Cli): void {
  defineCommand(accounts, cli, {
    usage: 'list',
    summary: 'List the accounts of the tracker',
    examples: ['centavo accounts list', 'centavo accounts list -o csv > accounts.csv'],
    act: async (context) => {
      const client = await context.clientInTracker();
      await context.printer.printRecords(client.accounts.list(), accountView);
    },
  });
}
