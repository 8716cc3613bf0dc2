import { StatementError } from '../statement-error.js';
import { isDateCell, plainCell } from './cells.js';
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
 * Refuses a header of two columns with different cells: taking the first would be a guess. Two columns with the same
 * cells are accepted; some banks repeat the currency beside balance and amount.
 *
 * @param file.rows the first rows below the headers; a later row whose cells differ fails by itself
 * @throws StatementError naming the positions, by which the user can choose a column
 */
export function requireClearHeaders(file: {
  readonly columns: CsvColumns;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): void {
  const { date } = requirePositions({ date: file.columns.date }, file.headers);
  // Totals below the transactions fill other columns.
  const rows = file.rows.filter((cells) => isDateCell(cells[date ?? 0] ?? ''));
  for (const column of findRepeatedColumns(file.columns, file.headers)) {
    if (!rows.some((cells) => cellsDiffer(cells, column))) continue;
    const first = (column.positions[0] ?? 0) + 1;
    throw new StatementError(
      `Which column holds the ${column.name} is not clear: ${describeRepeated(column)}.`,
      `Name it by its place: --${column.name}-column "column ${first}".`,
    );
  }
}
