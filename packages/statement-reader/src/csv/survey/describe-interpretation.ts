import { describeLeftOut, describeLines, type LineCounts } from '../lines/line-tally.js';
import { describePending } from '../pending/pending-rows.js';
import type { CsvPlan, PlannedColumns } from '../plan/plan.js';
import { findContinuations } from '../row/description.js';
import { isMinusIncomeByCodes, isWithoutSigns } from '../signs/sign-convention.js';
import { findPendingFlag } from '../table/cells.js';
import { type CsvColumnName, nameColumns, requirePositions } from '../table/columns.js';
import { detectColumnsByHeader } from '../table/detect-columns-by-header.js';

/** A line of the description of an interpretation. */
export type Line = readonly [label: string, value: string];

/** The facts about a file that are only described to the user. */
export interface Description {
  /** The number of rows below the headers, not counting fees that are recorded as separate transactions. */
  readonly rowCount: number;
  /** How many header lines, lines of rows and left-out lines the file has. */
  readonly lines: LineCounts;
  /** The positions, from 0, of columns without a header that have a text in some row; empty in a file without headers. */
  readonly unnamedPositions: ReadonlySet<number>;
  /** A clause such as `5 rows have a "Fee" that is not recorded`; undefined if there are no such rows. */
  readonly fees: string | undefined;
  /** A clause about the ids that are not used; empty if all ids are used. */
  readonly unusedIds: string;
  /** Unknown statuses; their rows are treated as final. */
  readonly unknownStatuses: readonly string[];
  readonly categoryNames: ReadonlySet<string>;
  /** A note about the choice of the date format; undefined if none is needed. */
  readonly dateFormatNote: string | undefined;
  /** A sentence for the user if no date of the file has the requested format; otherwise undefined. */
  readonly dateAdvice: string | undefined;
  /** The rows that the file seems to have twice; undefined if there are none. */
  readonly repeatedRows: string | undefined;
  /** The text of a row of a credit card that proves that a minus means income; undefined if no row decided this. */
  readonly reversedRow: string | undefined;
}

/** Describes how a CSV file will be read: columns, formats, signs, and the columns and lines that are not used. */
export function describeInterpretation(
  plan: CsvPlan,
  description: Description,
  options: { guessed: ReadonlySet<CsvColumnName>; isSaved: boolean; hasOneAccount: boolean },
): readonly Line[] {
  const { guessed, isSaved, hasOneAccount } = options;
  const { dialect, formats } = plan;
  const { roles } = plan.columns;
  const { payer, ...described } = roles;
  const continuations = usedContinuations(plan, description);
  const columns = (Object.entries(described) as [CsvColumnName, string][]).map(
    ([name, header]): Line => [
      name,
      `column "${header}"${name === 'merchant' && payer !== undefined ? ` for expenses, "${payer}" for incomes` : ''}${guessed.has(name) ? ' (guessed)' : ''}${name === 'description' ? describeContinuations(continuations, plan.columns) : ''}${name === 'id' ? description.unusedIds : ''}`,
    ],
  );
  const sides = Object.entries(plan.columns.sideCurrencies).map(
    ([side, position]): Line => [`${side} currency`, `column "${dialect.headers[position]?.trim() ?? ''}" (guessed)`],
  );
  const unused = unusedHeaders(plan, description);
  const account = hasOneAccount ? findUnusedAccount(plan, unused) : undefined;
  const signs = describeSigns(plan, description);
  const { fees, unknownStatuses, rowCount, dateFormatNote, repeatedRows } = description;
  const pending = describePending(plan.specialRows.pending);
  const pendingFlag = dialect.headers[findPendingFlag(dialect.headers)];
  const leftOut = describeLeftOut(description.lines);
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
    ['lines', describeLines(description.lines, rowCount)],
    leftOut === undefined ? undefined : ['left out', leftOut],
    repeatedRows === undefined ? undefined : ['repeated rows', repeatedRows],
  ];
  return lines.filter((line) => line !== undefined);
}

/**
 * Returns the positions of the columns in which the text of the description column continues, see {@link findContinuations}. Leaves out
 * columns without any text.
 */
function usedContinuations(
  { columns: { roles, splitTexts }, dialect: { headers } }: CsvPlan,
  { unnamedPositions }: Description,
): readonly number[] {
  return findContinuations({ headers, positions: requirePositions(roles, headers), splitTexts }).filter(
    (position) => unnamedPositions.has(position) || splitTexts.includes(position),
  );
}

function describeContinuations(positions: readonly number[], { splitTexts }: PlannedColumns): string {
  if (positions.length === 0) return '';
  if (splitTexts.length === 0) return ', and the columns without a header to its right';
  return positions.map((position) => ` and "column ${position + 1}"`).join('');
}

function unusedHeaders(plan: CsvPlan, description: Description): readonly string[] {
  const { columns, dialect } = plan;
  const { headers } = dialect;
  const used = new Set([
    ...Object.values(requirePositions(columns.roles, headers)),
    ...Object.values(columns.sideCurrencies),
    findPendingFlag(headers),
    columns.balanceCodePosition,
    ...usedContinuations(plan, description),
  ]);
  const hasNoHeaders = headers.every((header) => header.trim() === '');
  return nameColumns(headers).filter((_, position) => {
    const isListed = hasNoHeaders || headers[position]?.trim() !== '' || description.unnamedPositions.has(position);
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
function describeSigns({ columns: { roles }, signs }: CsvPlan, { reversedRow }: Description): string | undefined {
  if (roles.amount === undefined) return undefined;
  if (roles.direction !== undefined) {
    const hasMinus = signs.signCounts['income-code'].minus > 0;
    const remark = hasMinus && !signs.hasUnclearCredits && isMinusIncomeByCodes(signs) ? ', and - is income' : '';
    const emptyMeans = (['expense', 'income'] as const).find((side) => signs.directionCodes[side].has(''));
    const empty = emptyMeans === undefined ? '' : `, and an empty cell is an ${emptyMeans}`;
    return `the words of column "${roles.direction}" decide the direction${remark}${empty}`;
  }
  if (isWithoutSigns(roles, signs)) {
    return signs.balanceOrder === undefined
      ? 'there are none: every amount is an expense'
      : 'there are none: the balance column shows the direction';
  }
  const { signCounts, minusMeans } = signs;
  const { minus, plus, none } = signCounts.amount;
  const counted = (what: string, count: number) => `${what} (${count} ${count === 1 ? 'row' : 'rows'})`;
  const example = reversedRow ? `: see "${reversedRow}"` : '';
  const proof = reversedRow === undefined ? '' : `, as on the statement of a credit card${example}`;
  if (minusMeans === 'income')
    return `${counted('- is income', minus)}, ${counted('others are expenses', none + plus)}${proof}`;
  if (minus > 0 || (minusMeans === 'expense' && plus === 0))
    return `${counted('- is an expense', minus)}, ${counted('amounts without a minus are incomes', none + plus)}`;
  return plus > 0 ? 'amounts without a sign are expenses, + or CR is income' : undefined;
}
