import { StatementError } from '../../statement-error.js';
import { isAmountCell, isCurrencyCode, isDateCell, plainCell } from '../rows/cells.js';
import { type CsvColumnName, type CsvColumns, canonicalHeader, nameColumns, requirePositions } from './columns.js';

/** A chosen column whose header occurs more than once, with all its positions from 0. */
export interface RepeatedColumn {
  readonly name: CsvColumnName;
  readonly header: string;
  readonly positions: readonly number[];
}

/** Returns the chosen columns whose headers occur more than once. */
export function findRepeatedColumns(
  columns: Partial<CsvColumns>,
  headers: readonly string[],
): readonly RepeatedColumn[] {
  const known = nameColumns(headers).map(canonicalHeader);
  return (Object.entries(columns) as [CsvColumnName, string][]).flatMap(([name, header]) => {
    const wanted = canonicalHeader(header);
    const positions = known.flatMap((other, position) => (other === wanted ? [position] : []));
    return positions.length > 1 ? [{ name, header, positions }] : [];
  });
}

/** Returns whether the columns of one header differ in a row, so that it matters which of them is read. */
export function cellsDiffer(cells: readonly string[], { positions }: RepeatedColumn): boolean {
  return new Set(positions.map((position) => plainCell(cells[position] ?? ''))).size > 1;
}

/** Returns `columns 2 and 3 are both "Amount"`. */
export function describeRepeated({ header, positions }: RepeatedColumn): string {
  const numbers = positions.map((position) => String(position + 1));
  const listed = `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
  return `columns ${listed} are ${numbers.length === 2 ? 'both' : 'all'} "${header}"`;
}

/**
 * Refuses headers of two columns with different cells: taking the first would be a guess. Two columns with the same
 * cells are accepted; some banks repeat the currency beside balance and amount.
 *
 * @param file.rows the first rows below the headers; a later row whose cells differ fails by itself
 * @throws StatementError showing the cells of the first row that differs, and the positions by which the user can choose
 */
export function requireClearHeaders(file: {
  readonly columns: CsvColumns;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): void {
  const { date = 0 } = requirePositions({ date: file.columns.date }, file.headers);
  // Totals below the transactions fill other columns.
  const rows = file.rows.filter((cells) => isDateCell(cells[date] ?? ''));
  const unclear = findRepeatedColumns(file.columns, file.headers).flatMap((column) => {
    const row = rows.find((cells) => cellsDiffer(cells, column));
    return row === undefined ? [] : [{ column, row }];
  });
  if (unclear.length === 0) return;
  const questions = unclear.map(({ column, row }) => {
    const cells = column.positions.map((position) => describeCell(row, position)).join(', ');
    const place = `In the row of ${plainCell(row[date] ?? '')}: ${cells}`;
    return `Which column holds the ${column.name} is not clear: ${describeRepeated(column)}. ${place}.`;
  });
  const flags = unclear.map(({ column: { name, positions } }) => {
    const places = positions.map((position) => `"column ${position + 1}"`);
    return `--${name}-column ${places.join(' or ')}`;
  });
  throw new StatementError(questions.join(' '), `Name it by its place: ${flags.join(', ')}.`);
}

/** Returns `column 3 has "-20,00" beside "EUR"`. */
function describeCell(cells: readonly string[], position: number): string {
  const textAt = (index: number) => plainCell(cells[index] ?? '');
  const currency = [textAt(position + 1), textAt(position - 1)].find(isCurrencyCode);
  const isAmount = isAmountCell(textAt(position));
  return `column ${position + 1} has "${textAt(position)}"${isAmount && currency !== undefined ? ` beside "${currency}"` : ''}`;
}
