import { type CsvColumnName, nameColumns, requirePositions } from './columns/columns.js';
import { detectColumnsByHeader } from './columns/detect-columns-by-header.js';
import type { CsvPlan } from './plan.js';
import { findPendingFlag } from './rows/cells.js';
import { findContinuations } from './rows/description.js';
import { describeLeftOut, describeLines } from './rows/line-tally.js';
import { describePending } from './rows/pending-rows.js';
import { isMinusIncomeByCodes, isWithoutSigns } from './signs/sign-convention.js';
import type { SurveyChecks } from './survey.js';

/** A line of the description of a reading. */
export type Line = readonly [label: string, value: string];

/** Describes how a CSV file will be read: columns, formats, signs, and the columns and lines that are not used. */
export function describeReading(
  plan: CsvPlan,
  { rows, lines: fileLines }: Pick<SurveyChecks, 'rows' | 'lines'>,
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
      `column "${header}"${name === 'merchant' && payer !== undefined ? ` for expenses, "${payer}" for incomes` : ''}${guessed.has(name) ? ' (guessed)' : ''}${name === 'description' ? describeContinuations(continuations, findings) : ''}${name === 'id' ? rows.ids.unused : ''}`,
    ],
  );
  const sides = Object.entries(plan.columns.sideCurrencies).map(
    ([side, position]): Line => [`${side} currency`, `column "${dialect.headers[position]?.trim() ?? ''}" (guessed)`],
  );
  const unused = unusedHeaders(plan);
  const account = hasOneAccount ? findUnusedAccount(plan, unused) : undefined;
  const signs = describeSigns(plan);
  const { unknownStatuses, rowCount, dateFormatNote } = findings;
  const fees = rows.fees.description;
  const repeatedRows = fileLines.overlap.description;
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
    repeatedRows === undefined ? undefined : ['repeated rows', repeatedRows],
  ];
  return lines.filter((line) => line !== undefined);
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
