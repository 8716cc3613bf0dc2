import { externalIdLengthMax } from '@centavo/contracts/calls';
import type { StatementTransaction } from '../statement.js';
import { addRow, describeAmount, describeSums, noSums, type RowSums } from '../totals.js';
import { type CsvColumnName, nameColumns, requirePositions } from './columns/columns.js';
import { detectColumnsByHeader } from './columns/detect-columns-by-header.js';
import type { CsvPlan, LineAccount } from './plan.js';
import { findOwnExport, findPendingFlag } from './rows/cells.js';
import { findContinuations } from './rows/description.js';
import { LastRowSum } from './rows/last-row-sum.js';
import { NewestUnchanged } from './rows/newest-unchanged.js';
import { NewestWithoutBalance } from './rows/newest-without-balance.js';
import type { Overlap } from './rows/overlapping-exports.js';
import { describePending } from './rows/pending-rows.js';
import { readCsvRows, rowsOf } from './rows/rows.js';
import { DebtCheck, PaidDebtCheck } from './signs/debt-check.js';
import { type BalanceFinding, balanceCheck } from './signs/running-balance.js';
import { isMinusIncomeByCodes, isWithoutSigns } from './signs/sign-convention.js';
import { StatedBalanceCheck, type StatedContradiction } from './signs/stated-balance-check.js';

type Line = readonly [label: string, value: string];

/** Describes how a CSV file will be read: columns, formats, signs, and the columns and lines that are not used. */
export function describeReading(
  plan: CsvPlan,
  options: { guessed: ReadonlySet<CsvColumnName>; isSaved: boolean; hasOneAccount: boolean },
): readonly Line[] {
  const { guessed, isSaved, hasOneAccount } = options;
  const { dialect, formats, findings } = plan;
  const { roles } = plan.columns;
  const { payer, ...described } = roles;
  const continuations = usedContinuations(plan);
  const columns = (Object.entries(described) as [CsvColumnName, string][]).map(
    ([name, header]): Line => [
      name,
      `column "${header}"${name === 'merchant' && payer !== undefined ? ` for expenses, "${payer}" for incomes` : ''}${guessed.has(name) ? ' (guessed)' : ''}${name === 'description' ? describeContinuations(continuations, findings) : ''}${name === 'id' ? describeUnusedIds(findings) : ''}`,
    ],
  );
  const sides = Object.entries(plan.columns.sideCurrencies).map(
    ([side, position]): Line => [`${side} currency`, `column "${dialect.headers[position]?.trim() ?? ''}" (guessed)`],
  );
  const unused = unusedHeaders(plan);
  const account = hasOneAccount ? findUnusedAccount(plan, unused) : undefined;
  const signs = describeSigns(plan);
  const { fees, unknownStatuses, rowCount, dateFormatNote } = findings;
  const pending = describePending(plan.pending);
  const pendingFlag = dialect.headers[findPendingFlag(dialect.headers)];
  const leftOut = describeLeftOut(findings.lines);
  const balanceCodes = dialect.headers[plan.columns.balanceCodePosition ?? -1];
  const lines: (Line | undefined)[] = [
    isSaved ? ['mapping', 'saved for these headers (--no-saved-mapping ignores it)'] : undefined,
    ...columns,
    ...sides,
    roles.description === undefined && roles.merchant === undefined
      ? ['description', 'none: rows will have no text']
      : undefined,
    pendingFlag === undefined ? undefined : ['pending flag', `column "${pendingFlag.trim()}"`],
    account === undefined ? undefined : ['account', `that of --account for every row; column "${account}" is ignored`],
    unused.length > 0 ? ['not used', unused.map((header) => `"${header}"`).join(', ')] : undefined,
    fees === undefined ? undefined : ['fees', fees],
    signs === undefined ? undefined : ['signs', signs],
    balanceCodes === undefined ? undefined : ['balance sign', `the words of column "${balanceCodes.trim()}"`],
    ['date format', formats.dateFormat + (dateFormatNote === undefined ? '' : ` (${dateFormatNote})`)],
    ['decimals', formats.decimalSeparator === '.' ? '1,234.56' : '1.234,56'],
    ['encoding', dialect.encoding],
    unknownStatuses.length > 0
      ? ['unknown status', `${unknownStatuses.map((status) => `"${status}"`).join(', ')}: counted as booked`]
      : undefined,
    pending === undefined ? undefined : ['pending', pending],
    ['rows', String(rowCount)],
    ['lines', describeLines(findings.lines, rowCount)],
    leftOut === undefined ? undefined : ['left out', leftOut],
    findings.overlap === undefined ? undefined : ['repeated rows', describeOverlap(findings.overlap)],
  ];
  return lines.filter((line) => line !== undefined);
}

/** Describes rows that occur twice in a file. Such a file may consist of several exports that overlap. */
export function describeOverlap({ headerLine, lines: [first, second] }: Overlap): string {
  return headerLine === undefined
    ? `the rows from line ${second} on repeat those from line ${first} on`
    : `the headers repeat in line ${headerLine}, and lines ${first} and ${second} are equal`;
}

function describeUnusedIds({ repeatedId, longIdCount }: CsvPlan['findings']): string {
  if (repeatedId !== undefined) {
    return `, not used: lines ${repeatedId.lines.join(' and ')} both have "${repeatedId.id}"`;
  }
  if (longIdCount === 0) return '';
  const what = `${longIdCount} ${longIdCount === 1 ? 'id' : 'ids'} of more than ${externalIdLengthMax} characters`;
  return `; not used: ${what}`;
}

/**
 * Returns the positions of the columns in which the text of the description column continues, see {@link findContinuations}. Leaves out
 * columns without any text.
 */
function usedContinuations({
  columns,
  dialect: { headers },
  findings,
}: Pick<CsvPlan, 'columns' | 'dialect' | 'findings'>): readonly number[] {
  const { splitTexts, unnamedPositions } = findings;
  return findContinuations({ headers, positions: requirePositions(columns.roles, headers), splitTexts }).filter(
    (position) => unnamedPositions.has(position) || splitTexts.includes(position),
  );
}

function describeContinuations(positions: readonly number[], { splitTexts }: CsvPlan['findings']): string {
  if (positions.length === 0) return '';
  if (splitTexts.length === 0) return ', and the columns without a header to its right';
  return positions.map((position) => ` and "column ${position + 1}"`).join('');
}

function unusedHeaders({ columns, dialect, findings }: CsvPlan): readonly string[] {
  const { headers } = dialect;
  const used = new Set([
    ...Object.values(requirePositions(columns.roles, headers)),
    ...Object.values(columns.sideCurrencies),
    findPendingFlag(headers),
    columns.balanceCodePosition,
    ...usedContinuations({ columns, dialect, findings }),
  ]);
  const hasNoHeaders = headers.every((header) => header.trim() === '');
  return nameColumns(headers).filter((_, position) => {
    const isListed = hasNoHeaders || headers[position]?.trim() !== '' || findings.unnamedPositions.has(position);
    return isListed && !used.has(position);
  });
}

/**
 * Returns the header of the column with the account of each row; undefined if there is none. The column is not used,
 * because an option names one account for all rows.
 */
function findUnusedAccount({ dialect }: CsvPlan, unused: readonly string[]): string | undefined {
  const { account } = detectColumnsByHeader(dialect.headers, new Set());
  return account !== undefined && unused.includes(account) ? account : undefined;
}

/** Describes the sign convention that `decideDirection` applies. */
function describeSigns({ columns: { roles }, formats, hasUnclearCredits = false }: CsvPlan): string | undefined {
  if (roles.amount === undefined) return undefined;
  if (roles.direction !== undefined) {
    const hasMinus = formats.signCounts['income-code'].minus > 0;
    const remark = hasMinus && !hasUnclearCredits && isMinusIncomeByCodes(formats) ? ', and - is income' : '';
    const emptyMeans = (['expense', 'income'] as const).find((side) => formats.directionCodes[side].has(''));
    const empty = emptyMeans === undefined ? '' : `, and an empty cell is an ${emptyMeans}`;
    return `the words of column "${roles.direction}" decide the direction${remark}${empty}`;
  }
  if (isWithoutSigns(roles, formats)) {
    return formats.balanceOrder === undefined
      ? 'there are none: every amount is an expense'
      : 'there are none: the balance column shows the direction';
  }
  const { signCounts, minusMeans } = formats;
  const { minus, plus, bare } = signCounts.amount;
  const counted = (what: string, count: number) => `${what} (${count} ${count === 1 ? 'row' : 'rows'})`;
  if (minusMeans === 'income')
    return `${counted('- is income', minus)}, ${counted('others are expenses', bare + plus)}`;
  if (minus > 0 || (minusMeans === 'expense' && plus === 0))
    return `${counted('- is an expense', minus)}, ${counted('amounts without a minus are incomes', bare + plus)}`;
  return plus > 0 ? 'amounts without a sign are expenses, + or CR is income' : undefined;
}

/**
 * Describes the transactions of a file as they will be recorded: their sums in each currency, and the first transaction.
 * A user can see a wrong direction, or a swapped day and month, in this description, but not in the names of columns and formats.
 * The function reads the file again, in constant memory, because the rows to record and their directions are known only after the whole
 * file has been read once.
 */
export async function describeRows(plan: CsvPlan): Promise<{
  /** The description; empty if no row is a transaction. */
  readonly lines: readonly Line[];
  /** The finding about the balance column; undefined if there is no such column, or the column proves nothing. */
  readonly balance: BalanceFinding | undefined;
  /** A balance that the file states outside its balance column, and that the rows contradict; undefined if there is none. */
  readonly stated: StatedContradiction | undefined;
  /** The number of rows, including the separate rows for fees. */
  readonly rowCount: number;
  /** Whether some row failed because it has neither an amount nor a balance. */
  readonly hasEmptyRows: boolean;
  /** The line number of the last row, if it may be a total because its amount is the sum of all transactions above it. */
  readonly lineOfSum: number | undefined;
  /**
   * The line numbers of the rows without a balance, at most five, if these are the newest rows, and fewer than the rows with a balance.
   * Otherwise empty.
   */
  readonly newestWithoutBalance: readonly number[];
  /** The line numbers of the newest rows, at most five, if only these rows do not change the balance. Otherwise empty. */
  readonly newestUnchanged: readonly number[];
  /**
   * The reason why the balance column may show a debt (the amount owed, as on a card statement); undefined if there is none. The reason
   * matters only if nothing but the balance shows the directions of the rows.
   */
  readonly debtReason: string | undefined;
  /** Whether an amount with a minus pays exactly the balance before the oldest row. */
  readonly paysFirstBalance: boolean;
}> {
  const sums = new Map<string | null, RowSums>();
  const check = balanceCheck(plan);
  const statedCheck = new StatedBalanceCheck(plan);
  const others = { skipped: 0, failure: 0 };
  const lastRow = new LastRowSum();
  let rowCount = 0;
  let hasEmptyRows = false;
  const newest = new NewestWithoutBalance();
  const unchanged = new NewestUnchanged();
  const debt = new DebtCheck();
  const paidDebt = new PaidDebtCheck();
  const hasHeaders = plan.dialect.headers.some((header) => header.trim() !== '');
  let first: string | undefined;
  const withoutBalance = { count: 0, first: [] as number[] };
  for await (const csvRow of readCsvRows(plan)) {
    check?.add(csvRow);
    statedCheck.add(csvRow);
    lastRow.add(csvRow);
    hasEmptyRows ||= csvRow.isEmpty;
    newest.add(csvRow);
    unchanged.add(csvRow);
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
    stated,
    rowCount,
    hasEmptyRows,
    lineOfSum,
    newestWithoutBalance: newest.lines,
    newestUnchanged: unchanged.lines,
    debtReason: debt.findReason({ hasHeaders }),
    paysFirstBalance: paidDebt.isPaid,
  };
  if (first === undefined) return { lines: [], ...facts };
  const totals = [...sums].map(([currencyCode, found]): Line => ['totals', describeSums(found, currencyCode)]);
  const checked: Line[] =
    balance === undefined ? [] : [['balance', describeBalance(balance) + describeWithoutBalance(withoutBalance)]];
  const statedLine = stated === undefined ? [] : [describeStated(stated)];
  return { lines: [...totals, ...describeOthers(others), ...checked, ...statedLine, ['first row', first]], ...facts };
}

function describeStated({ kind, line, stated, expected, openingLine }: StatedContradiction): Line {
  const place = `${stated} in line ${line}, but`;
  switch (kind) {
    case 'opening':
      return ['opening balance', `${place} ${expected} before the oldest row`];
    case 'sum':
      return [
        'closing balance',
        `${place} the opening balance in line ${openingLine} and the rows add up to ${expected}`,
      ];
    default:
      return ['closing balance', `${place} ${expected} in the balance column`];
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

/**
 * Returns a text such as `9: 1 header, 5 rows, 3 left out` for a file of 9 lines. If a row has several lines, the text says
 * `5 rows in 7 lines`.
 */
export function describeLines({ total, header, rows, leftOut }: LineAccount, rowCount: number): string {
  const left = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const parts = [
    header === 0 ? 'no header' : counted(header, header === 1 ? 'header' : 'lines of headers'),
    counted(rowCount, rowCount === 1 ? 'row' : 'rows') + (rows === rowCount ? '' : ` in ${rows} lines`),
    ...(left === 0 ? [] : [counted(left, 'left out')]),
  ];
  return `${total}: ${parts.join(', ')}`;
}

/**
 * Returns a text such as `line 8 "Saldo finale" (balance); 2 blank`. The text lists the first records that are left out, and counts the
 * others by reason. Returns undefined if no record is left out.
 */
export function describeLeftOut({ leftOut, first }: LineAccount): string | undefined {
  const others = new Map(leftOut);
  for (const { reason, lineCount } of first) others.set(reason, (others.get(reason) ?? 0) - lineCount);
  const named = first.map(({ line, lineCount, text, reason }) => {
    const place = lineCount === 1 ? `line ${line}` : `lines ${line}-${line + lineCount - 1}`;
    return `${place} "${text}" (${reason})`;
  });
  const rest = [...others].filter(([, count]) => count > 0).map(([reason, count]) => counted(count, reason));
  const parts = [named.join(', '), rest.join(', ')].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}`;
}
