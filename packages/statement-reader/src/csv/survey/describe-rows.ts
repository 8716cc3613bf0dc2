import type { StatementRow, StatementTransaction } from '../../statement.js';
import { addRow, describeAmount, describeSums, noSums, type RowSums } from '../../totals.js';
import { DebtCheck, PaidDebtCheck } from '../balances/debt-check.js';
import { LastRowSum } from '../balances/last-row-sum.js';
import { balanceCheck } from '../balances/running-balance.js';
import { StatedBalanceCheck } from '../balances/stated-balance-check.js';
import type { BalanceFinding } from '../findings/balance-finding.js';
import type { StatedContradiction } from '../lines/stated-contradiction.js';
import { NewestUnchanged } from '../pending/newest-unchanged.js';
import { NewestWithoutBalance } from '../pending/newest-without-balance.js';
import type { CsvPlan } from '../plan/plan.js';
import type { CsvRow } from '../row/row.js';
import { readCsvRows, rowsOf } from '../rows/rows.js';
import { findCentavoExport } from '../table/cells.js';
import type { Line } from './describe-interpretation.js';
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
  /** Whether an amount with a minus equals the balance before the oldest row, as the payment of a card bill does. */
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
  const totals = new RowTotals();
  const withoutBalance = new RowsWithoutBalance();
  const check = balanceCheck(plan, rows.fees.headers);
  const statedCheck = new StatedBalanceCheck(plan, {
    statedBalances: lines.statedBalances,
    hasSeveralAccounts: rows.ownAccounts.hasSeveral,
    hasUnrecordedFees: rows.fees.headers.length > 0,
    hasNotFinal: rows.pending.statuses.hasNotFinal,
  });
  const lastRow = new LastRowSum();
  let hasEmptyRows = false;
  const newestWithoutBalance = new NewestWithoutBalance();
  const newestUnchanged = new NewestUnchanged();
  const { headers } = plan.dialect;
  const debt = new DebtCheck({
    hasHeaders: headers.some((header) => header.trim() !== ''),
    balanceHeader: headers[plan.columns.balancePosition ?? -1] ?? '',
  });
  const paidDebt = new PaidDebtCheck();
  for await (const csvRow of readCsvRows(plan)) {
    check?.add(csvRow);
    statedCheck.add(csvRow);
    lastRow.add(csvRow);
    hasEmptyRows ||= csvRow.isEmpty;
    newestWithoutBalance.add(csvRow);
    newestUnchanged.add(csvRow);
    debt.add(csvRow);
    paidDebt.add(csvRow);
    withoutBalance.add(csvRow);
    for (const row of rowsOf(csvRow)) totals.add(row);
  }
  const balance = check?.finding;
  const stated = statedCheck.find(balance);
  const isProven = balance !== undefined && balance.kind !== 'unrelated' && lastRow.row?.balance !== undefined;
  const lineOfSum =
    isProven || findCentavoExport(plan.dialect.headers) !== undefined ? undefined : lastRow.row?.row.line;
  const checked: Line[] = [
    ...(balance === undefined ? [] : [['balance', describeBalance(balance) + withoutBalance.description] as const]),
    ...(stated === undefined ? [] : [stated.describe()]),
  ];
  return {
    lines: totals.describeWith(checked),
    balance,
    rowCount: totals.rowCount,
    hasEmptyRows,
    lineOfSum,
    paysFirstBalance: paidDebt.isPaid,
    checks: { newestWithoutBalance, newestUnchanged, debt, stated },
  };
}

/** Adds up the transactions of a file in each currency, and counts the other rows. */
class RowTotals {
  rowCount = 0;
  readonly #sums = new Map<string | null, RowSums>();
  readonly #others = { skipped: 0, failure: 0 };
  /** A description of the first transaction; undefined if no row is a transaction. */
  #first: string | undefined;

  add(row: StatementRow): void {
    this.rowCount += 1;
    if (row.outcome !== 'transaction') {
      this.#others[row.outcome] += 1;
      return;
    }
    const { currencyCode } = row.transaction;
    const known = this.#sums.get(currencyCode) ?? noSums();
    addRow(known, row);
    this.#sums.set(currencyCode, known);
    this.#first ??= `line ${row.line} is ${describeTransaction(row.transaction)}`;
  }

  /** Returns the description; empty if no row is a transaction. The lines `balances` are placed above the line about the first row. */
  describeWith(balances: readonly Line[]): readonly Line[] {
    if (this.#first === undefined) return [];
    const totals = [...this.#sums].map(([currencyCode, found]): Line => ['totals', describeSums(found, currencyCode)]);
    return [...totals, ...describeOthers(this.#others), ...balances, ['first row', this.#first]];
  }
}

/** Describes the rows that the totals do not include. */
function describeOthers({ skipped, failure }: Readonly<Record<'skipped' | 'failure', number>>): readonly Line[] {
  const parts = [
    ...(skipped === 0 ? [] : [counted(skipped, 'skipped')]),
    ...(failure === 0 ? [] : [counted(failure, failure === 1 ? 'fails' : 'fail')]),
  ];
  return parts.length === 0 ? [] : [['other rows', parts.join(', ')]];
}

/** Collects the transactions without a balance. Some banks leave the balance of a pending row empty. */
class RowsWithoutBalance {
  #count = 0;
  readonly #first: number[] = [];

  add({ row, balance }: CsvRow): void {
    if (row.outcome !== 'transaction' || balance !== undefined) return;
    this.#count += 1;
    if (this.#first.length < namedMax) this.#first.push(row.line);
  }

  /** A clause such as `; line 4 has no balance, and may be pending`; empty if all transactions have a balance. */
  get description(): string {
    if (this.#count === 0) return '';
    if (this.#count === 1) return `; line ${this.#first[0]} has no balance, and may be pending`;
    const more = this.#count > this.#first.length ? ' …' : '';
    return `; ${this.#count} rows have no balance, and may be pending: lines ${this.#first.join(', ')}${more}`;
  }
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
      return `${agrees} if expenses and incomes are swapped`;
    case 'subtracts fees':
      return `${agrees} if the fees are included`;
    case 'ignores fees':
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
