import { type CsvColumnName, requirePositions } from './csv-columns.js';
import type { CsvPlan } from './csv-plan.js';
import { isWithoutSigns } from './decide-direction.js';
import { guessColumns } from './guess-columns.js';

/** How a CSV file is going to be read, line by line, for a person to see: also what of it is not used. */
export function describeReading(
  plan: CsvPlan,
  told: { guessed: ReadonlySet<CsvColumnName>; isSaved: boolean; hasOneAccount: boolean },
): readonly (readonly [label: string, value: string])[] {
  const { guessed, isSaved, hasOneAccount } = told;
  const columns = (Object.entries(plan.columns) as [CsvColumnName, string][]).map(
    ([name, header]) => [name, `column "${header}"${guessed.has(name) ? ' (guessed)' : ''}`] as const,
  );
  const unused = unusedHeaders(plan);
  const account = hasOneAccount ? findUnusedAccount(plan, unused) : undefined;
  const signs = describeSigns(plan);
  return [
    ...(isSaved ? [['mapping', 'saved for these headers (--no-saved-mapping ignores it)'] as const] : []),
    ...columns,
    ...(plan.columns.description === undefined && plan.columns.merchant === undefined
      ? [['description', 'none: rows will have no text'] as const]
      : []),
    ...(account === undefined
      ? []
      : [['account', `that of --account for every row, whatever column "${account}" says`] as const]),
    ...(unused.length > 0 ? [['not used', unused.map((header) => `"${header}"`).join(', ')] as const] : []),
    ...(plan.fees === undefined ? [] : [['fees', plan.fees] as const]),
    ...(signs === undefined ? [] : [['signs', signs] as const]),
    ['date format', plan.dateFormat + (plan.dateFormatNote === undefined ? '' : ` (${plan.dateFormatNote})`)],
    ['decimals', plan.decimalSeparator === '.' ? '1,234.56' : '1.234,56'],
    ['encoding', plan.encoding],
    ...(plan.unknownStatuses.length > 0
      ? [['unknown status', `${plan.unknownStatuses.map((word) => `"${word}"`).join(', ')}: taken for final`] as const]
      : []),
    ['rows', String(plan.rowCount)],
    ...(plan.asides.count > 0 ? [['left out', describeAsides(plan)] as const] : []),
  ];
}

function unusedHeaders(plan: CsvPlan): readonly string[] {
  const used = new Set(Object.values(requirePositions(plan.columns, plan.headers)));
  return plan.headers.filter((header, place) => header.trim() !== '' && !used.has(place));
}

/** The column that would tell the account of each row, if no flag had told that of all. */
function findUnusedAccount(plan: CsvPlan, unused: readonly string[]): string | undefined {
  const { account } = guessColumns(plan.headers, new Set());
  return account !== undefined && unused.includes(account) ? account : undefined;
}

/** Lines that can be no transaction, such as totals, so that nothing disappears unseen. */
function describeAsides({ asides }: CsvPlan): string {
  const { count, lines } = asides;
  const places = `${lines.join(', ')}${count > lines.length ? ' …' : ''}`;
  return count === 1
    ? `1 line that is no transaction: ${places}`
    : `${count} lines that are no transactions: ${places}`;
}

/** The habit that `decideDirection` follows, in words. */
function describeSigns(plan: CsvPlan): string | undefined {
  const { columns, marks } = plan;
  if (columns.amount === undefined) return undefined;
  if (columns.direction !== undefined) return `the words of column "${columns.direction}" tell`;
  if (isWithoutSigns(plan)) return 'there are none: every amount is an expense';
  const { minus, plus, bare } = marks.amount;
  const counted = (what: string, count: number) => `${what} (${count} ${count === 1 ? 'row' : 'rows'})`;
  if (plan.minusMeans === 'income')
    return `${counted('- is income', minus)}, ${counted('others are expenses', bare + plus)}`;
  if (minus > 0 || (plan.minusMeans === 'expense' && plus === 0))
    return `${counted('- is an expense', minus)}, ${counted('no sign is income', bare + plus)}`;
  return marks.amount.plus > 0 ? 'no sign is an expense, + or CR is income' : undefined;
}
