import { parseAmount } from '../../values/amounts.js';
import { requirePositions } from '../columns/columns.js';
import { detectColumnsByHeader } from '../columns/detect-columns.js';
import type { CsvPlan } from '../plan.js';
import { plainCell } from '../rows/cells.js';
import type { CsvRow } from '../rows/row.js';
import { type BalanceFinding, RunningBalance } from './running-balance.js';

/** Compares the rows of a file with its balance column. */
export interface BalanceCheck {
  add(row: CsvRow): void;
  /** What the balances say about the amounts; undefined if they prove nothing. */
  readonly finding: BalanceFinding | undefined;
}

/** Returns the check of a file; undefined if it has no balance column, or only its debits or credits are read. */
export function balanceCheck({ dialect: { headers }, columns, formats, findings }: CsvPlan): BalanceCheck | undefined {
  const { roles, balancePosition } = columns;
  const hasOneSide = roles.amount === undefined && (roles.debit === undefined || roles.credit === undefined);
  if (balancePosition === undefined || hasOneSide) return undefined;
  const feeHeader = roles.fee ?? findings.feeColumn;
  const feePosition = positionOf('fee', feeHeader);
  // The account of a row counts even if an option names the account of all rows.
  const accountPosition = positionOf('account', roles.account ?? detectColumnsByHeader(headers, new Set()).account);
  const expectedFees = roles.fee === undefined ? 'counts no fees' : 'counts fees';
  const balances = new RunningBalance(feeHeader === undefined ? undefined : expectedFees);

  function positionOf(name: 'fee' | 'account', header: string | undefined): number | undefined {
    return header === undefined ? undefined : requirePositions({ [name]: header }, headers)[name];
  }

  const cellAt = (cells: readonly string[], position: number | undefined) =>
    position === undefined ? '' : plainCell(cells[position] ?? '');

  return {
    add({ row, cells, balance, fee }) {
      // A row of zero with a fee is skipped, and its fee is a row of its own.
      const moved = row.outcome === 'transaction' ? row : fee;
      if (row.outcome === 'failure' || (moved !== undefined && balance === undefined)) balances.addGap();
      if (moved?.outcome !== 'transaction' || balance === undefined) return;
      const { direction, currencyCode, occurredOn } = moved.transaction;
      const amountDecimal = row.outcome === 'transaction' ? row.transaction.amountDecimal : '0';
      balances.add({
        line: row.line,
        occurredOn,
        chain: JSON.stringify([cellAt(cells, accountPosition), currencyCode]),
        amount: direction === 'expense' ? `-${amountDecimal}` : amountDecimal,
        fee: parseAmount(cellAt(cells, feePosition), formats.decimalSeparator)?.amountDecimal ?? '0',
        balance,
        currencyCode,
      });
    },
    get finding() {
      return balances.finding;
    },
  };
}
