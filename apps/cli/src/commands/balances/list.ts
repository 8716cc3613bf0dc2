import type { Balance } from '@centavo/sdk';
import type { Command } from 'commander';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';

export function addBalances(program: Command, cli: Cli): void {
  defineCommand<{ readonly asOf?: string }>(program, cli, {
    usage: 'balances',
    summary: 'Show the balance of every active cashbox',
    examples: [
      'centavo balances',
      'centavo balances --as-of 2026-01-31',
      'centavo balances -o json --tracker Household',
    ],
    options: (command) => command.option('--as-of <date>', 'count only movements up to this day, YYYY-MM-DD'),
    act: async (context, { asOf }) => {
      const client = await context.clientInTracker();
      await context.printer.printRecords(client.accounts.balances({ asOf }), balanceView);
    },
  });
}

const balanceView: RecordView<Balance> = {
  columns: [
    { header: 'ACCOUNT', value: (balance) => balance.accountName, flexible: true },
    { header: 'CASHBOX', value: (balance) => balance.cashboxName, flexible: true },
    { header: 'BALANCE', value: (balance) => balance.balanceDecimal, align: 'right' },
    { header: 'CURRENCY', value: (balance) => balance.currencyCode },
  ],
  fields: [
    'accountId',
    'accountName',
    'cashboxId',
    'cashboxName',
    'currencyCode',
    'balanceDecimal',
    'asOf',
    'asOfDate',
  ],
};
