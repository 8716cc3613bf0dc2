import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { accountView } from './account-view.js';

/** `centavo accounts list` */
export function addAccountsList(accounts: Command, cli: Cli): void {
  addCommand(accounts, cli, {
    usage: 'list',
    summary: 'List the accounts of the tracker',
    examples: ['centavo accounts list', 'centavo accounts list -o csv > accounts.csv'],
    act: async (invocation) => {
      const client = await invocation.clientInTracker();
      await invocation.printer.printRecords(client.accounts.list(), accountView);
    },
  });
}
