import type { CreateAccountInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type ConfirmedFlags, confirmNewName, yesToDuplicateName } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { collect } from '../shared/flags.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { accountView } from './account-view.js';

interface CreateAccountFlags extends ConfirmedFlags {
  readonly type: string;
  readonly currency?: string;
  readonly openingBalance?: string;
  readonly cashbox: readonly string[];
}

export function addAccountsCreate(accounts: Command, cli: Cli): void {
  defineCommand<CreateAccountFlags>(accounts, cli, {
    usage: 'create <name>',
    summary: 'Create an account with one cashbox of the same name, or with the cashboxes that --cashbox names',
    examples: [
      'centavo accounts create Checking --currency EUR --opening-balance 100.00',
      'centavo accounts create "Platinum Card" --type credit_card --opening-balance -250.00',
      'centavo accounts create Savings --type savings --cashbox Holidays=100.00 --cashbox Car',
    ],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--type <type>', 'cash, checking, savings, credit_card, loan, investment or other', 'checking')
        .option('--currency <code>', "ISO 4217 code (default: the tracker's)")
        .option('--opening-balance <amount>', 'signed decimal amount (default: 0)')
        .option(
          '--cashbox <name=amount>',
          'a cashbox with an optional opening balance; repeat the flag for several',
          collect,
          [],
        )
        .option(...yesToDuplicateName),
    caller: 'user',
    act: async (context, flags, [name = '']) => {
      const client = await context.clientInTracker();
      const body: CreateAccountInput = {
        name,
        // The API validates the type.
        type: flags.type as CreateAccountInput['type'],
        currencyCode: flags.currency,
        openingBalanceDecimal: flags.openingBalance,
        cashboxes: flags.cashbox.length === 0 ? undefined : flags.cashbox.map(parseCashbox),
      };
      const { data: records } = await client.accounts.list();
      await confirmNewName(context, flags, { noun: 'account', name, records });
      const account = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'accounts.create',
        body,
        preview: (options) => client.accounts.create(body, options).withResponse(),
        send: () => client.accounts.create(body),
      });
      if (account !== undefined) await context.printer.printRecord(account, accountView);
    },
  });
}

/**
 * Parses `Holidays` or `Holidays=100.00`. The last `=` separates the name and the amount. If the text after the `=` is not an amount,
 * the whole text is the name.
 */
function parseCashbox(text: string): NonNullable<CreateAccountInput['cashboxes']>[number] {
  const [, name = text, openingBalanceDecimal] = /^(.+)=(-?\d[\d.]*)$/s.exec(text) ?? [];
  return { name, openingBalanceDecimal };
}
