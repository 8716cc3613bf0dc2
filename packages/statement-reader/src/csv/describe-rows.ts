import type { StatementTransaction } from '../statement.js';
import { addRow, describeAmount, describeSums, noSums, type RowSums } from '../totals.js';
import type { Line } from './describe-reading.js';
import type { CsvPlan } from './plan.js';
import { findOwnExport } from './rows/cells.js';
import { LastRowSum } from './rows/last-row-sum.js';
import { NewestUnchanged } from './rows/newest-unchanged.js';
import { NewestWithoutBalance } from './rows/newest-without-balance.js';
import { readCsvRows, rowsOf } from './rows/rows.js';
import type { BalanceFinding } from './signs/balance-finding.js';
import { DebtCheck, PaidDebtCheck } from './signs/debt-check.js';
import { balanceCheck } from './signs/running-balance.js';
import { StatedBalanceCheck } from './signs/stated-balance-check.js';
import type { StatedContradiction } from './signs/stated-contradiction.js';
import type { SurveyChecks } from './survey.js';

/** The checks of the rows as they will be recorded. */
export interface DescribedChecks {
  readonly newestWithoutBalance: NewestWithoutBalance;
  readonly newestUnchanged: NewestUnchanged;
  readonly debt: DebtCheck;
  /** A balance that the file states outside its balance column, and that the rows contradict; undefined if there is none. */
  readonly stated: StatedContradiction | undefined;
}

/** The rows of a file as they will be recorded. */
export interface DescribedRows {
  /** The description; empty if no row is a transaction. */
  readonly lines: readonly Line[];
  /** The finding about the balance column; undefined if there is no such column, or the column proves nothing. */
  readonly balance: BalanceFinding | undefined;
  /** The number of rows, including the separate rows for fees. */
  readonly rowCount: number;
  /** Whether some row failed because it has neither an amount nor a balance. */
  readonly hasEmptyRows: boolean;
  /** The line number of the last row, if it may be a total because its amount is the sum of all transactions above it. */
  readonly lineOfSum: number | undefined;
  /** Whether an amount with a minus pays exactly the balance before the oldest row. */
  readonly paysFirstBalance: boolean;
  readonly checks: DescribedChecks;
}

/**
 * Describes the transactions of a file as they will be recorded: their sums in each currency, and the first transaction.
 * A user can see a wrong direction, or a swapped day and month, in this description, but not in the names of columns and formats.
 * The function reads the file again, in constant memory, because the rows to record and their directions are known only after the whole
 * file has been read once.
 */
export async function describeRows(
  plan: CsvPlan,
  { rows, lines }: Pick<SurveyChecks, 'rows' | 'lines'>,
): Promise<DescribedRows> {
  const sums = new Map<string | null, RowSums>();
  const check = balanceCheck(plan, rows.fees.headers);
  const statedCheck = new StatedBalanceCheck(plan, {
    statedBalances: lines.statedBalances,
    hasSeveralAccounts: rows.ownAccounts.hasSeveral,
    hasUnrecordedFees: rows.fees.headers.length > 0,
    hasNotFinal: rows.pending.statuses.hasNotFinal,
  });
  const others = { skipped: 0, failure: 0 };
  const lastRow = new LastRowSum();
  let rowCount = 0;
  let hasEmptyRows = false;
  const newestWithoutBalance = new NewestWithoutBalance();
  const newestUnchanged = new NewestUnchanged();
  const debt = new DebtCheck({ hasHeaders: plan.dialect.headers.some((header) => header.trim() !== '') });
  const paidDebt = new PaidDebtCheck();
  let first: string | undefined;
  const withoutBalance = { count: 0, first: [] as number[] };
  for await (const csvRow of readCsvRows(plan)) {
    check?.add(csvRow);
    statedCheck.add(csvRow);
    lastRow.add(csvRow);
    hasEmptyRows ||= csvRow.isEmpty;
    newestWithoutBalance.add(csvRow);
    newestUnchanged.add(csvRow);
    debt.add(csvRow);
    paidDebt.add(csvRow);
    if (csvRow.row.outcome === 'transaction' && csvRow.balance === undefined) {
      withoutBalance.count += 1;
      if (withoutBalance.first.length < namedMax) withoutBalance.first.push(csvRow.row.line);
    }
    for (const row of rowsOf(csvRow)) {
      rowCount += 1;
      if (row.outcome !== 'transaction') {
        others[row.outcome] += 1;
        continue;
      }
      const { currencyCode } = row.transaction;
      const known = sums.get(currencyCode) ?? noSums();
      addRow(known, row);
      sums.set(currencyCode, known);
      first ??= `line ${row.line} is ${describeTransaction(row.transaction)}`;
    }
  }
  const balance = check?.finding;
  const stated = statedCheck.find(balance);
  const isProven = balance !== undefined && balance.kind !== 'unrelated' && lastRow.row?.balance !== undefined;
  const lineOfSum = isProven || findOwnExport(plan.dialect.headers) !== undefined ? undefined : lastRow.row?.row.line;
  const facts = {
    balance,
    rowCount,
    hasEmptyRows,
    lineOfSum,
    paysFirstBalance: paidDebt.isPaid,
    checks: { newestWithoutBalance, newestUnchanged, debt, stated },
  };
  if (first === undefined) return { lines: [], ...facts };
  const totals = [...sums].map(([currencyCode, found]): Line => ['totals', describeSums(found, currencyCode)]);
  const checked: Line[] =
    balance === undefined ? [] : [['balance', describeBalance(balance) + describeWithoutBalance(withoutBalance)]];
  const statedLine = stated === undefined ? [] : [stated.describe()];
  return { lines: [...totals, ...describeOthers(others), ...checked, ...statedLine, ['first row', first]], ...facts };
}

/** Describes the rows that the totals do not include. */
function describeOthers({ skipped, failure }: Readonly<Record<'skipped' | 'failure', number>>): readonly Line[] {
  const parts = [
    ...(skipped === 0 ? [] : [counted(skipped, 'skipped')]),
    ...(failure === 0 ? [] : [counted(failure, failure === 1 ? 'fails' : 'fail')]),
  ];
  return parts.length === 0 ? [] : [['other rows', parts.join(', ')]];
}

/** Describes the rows without a balance. Some banks leave the balance of a pending row empty. */
function describeWithoutBalance({ count, first }: { count: number; first: readonly number[] }): string {
  if (count === 0) return '';
  if (count === 1) return `; line ${first[0]} has no balance, and may be pending`;
  return `; ${count} rows have no balance, and may be pending: lines ${first.join(', ')}${count > first.length ? ' …' : ''}`;
}

/** The maximum number of listed rows without a balance. */
const namedMax = 5;

function describeBalance({ kind, agreeing, total, isBefore }: BalanceFinding): string {
  const agrees = `the balance column agrees on ${agreeing} of ${total} rows`;
  if (isBefore === true) return `${agrees}; it shows the balance before each row`;
  switch (kind) {
    case 'unrelated':
      return 'the balance column does not follow the amounts, so it is not compared';
    case 'reversed':
      return `${agrees} if expenses and incomes are exchanged`;
    case 'counts fees':
      return `${agrees} if the fees are included`;
    case 'counts no fees':
      return `${agrees} if the fees are not included`;
    case 'adds fees':
      return `${agrees} if the fees count as incomes`;
    default:
      return agrees;
  }
}

function describeTransaction(transaction: StatementTransaction): string {
  const { occurredOn, direction, amountDecimal, currencyCode, description, merchantName } = transaction;
  const amount = describeAmount(amountDecimal, currencyCode);
  const text = (description ?? merchantName ?? '').replace(/\s+/g, ' ');
  return [`${occurredOn}, ${direction} of ${amount}`, ...(text === '' ? [] : [text])].join(': ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}`;
}
