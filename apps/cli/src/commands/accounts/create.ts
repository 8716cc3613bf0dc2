import type { CreateAccountInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { addCommand, type Cli, type WriteFlags } from '../add-command.js';
import { sendUnkeyedWrite } from '../send-write.js';
import { accountView } from './account-view.js';

interface CreateAccountFlags extends WriteFlags {
  readonly type: string;
  readonly currency?: string;
  readonly openingBalance?: string;
}

/** `centavo accounts create` */
export function addAccountsCreate(accounts: Command, cli: Cli): void {
  addCommand<CreateAccountFlags>(accounts, cli, {
    usage: 'create <name>',
    summary: 'Make an account, with one cashbox of the same name',
    examples: [
      'centavo accounts create Checking --currency EUR --opening-balance 100.00',
      'centavo accounts create "Platinum Card" --type credit_card --opening-balance -250.00',
    ],
    writes: 'unkeyed',
    options: (command) =>
      command
        .option('--type <type>', 'cash, checking, savings, credit_card, loan, investment or other', 'checking')
        .option('--currency <code>', "ISO 4217 code (default: the tracker's)")
        .option('--opening-balance <amount>', 'signed decimal amount (default: 0)'),
    act: async (invocation, flags, [name = '']) => {
      const client = await invocation.clientInTracker();
      const body: CreateAccountInput = {
        name,
        // The API knows the list of types, and says so about a wrong one.
        type: flags.type as CreateAccountInput['type'],
        currencyCode: flags.currency,
        openingBalanceDecimal: flags.openingBalance,
      };
      const account = await sendUnkeyedWrite(invocation, flags, {
        call: 'accounts.create',
        body,
        send: () => client.accounts.create(body),
      });
      if (account !== undefined) await invocation.printer.printRecord(account, accountView);
    },
  });
}
