import { UsageError } from '../../errors.js';
import { isDateCell } from './cell-kinds.js';
import {
  type CsvColumnName,
  type CsvColumns,
  canonicalHeader,
  nameColumns,
  plainCell,
  requirePositions,
} from './csv-columns.js';

/** A chosen column whose header stands more than once, with all its places from 0. */
export interface RepeatedColumn {
  readonly name: CsvColumnName;
  readonly header: string;
  readonly places: readonly number[];
}

/** The chosen columns whose headers do not say which column is meant. */
export function findRepeatedColumns(
  columns: Partial<CsvColumns>,
  headers: readonly string[],
): readonly RepeatedColumn[] {
  const known = nameColumns(headers).map(canonicalHeader);
  return (Object.entries(columns) as [CsvColumnName, string][]).flatMap(([name, header]) => {
    const wanted = canonicalHeader(header);
    const places = known.flatMap((other, place) => (other === wanted ? [place] : []));
    return places.length > 1 ? [{ name, header, places }] : [];
  });
}

/** Whether the columns of one header hold different texts in a row, so that it matters which of them is read. */
export function isDivided(cells: readonly string[], { places }: RepeatedColumn): boolean {
  return new Set(places.map((place) => plainCell(cells[place] ?? ''))).size > 1;
}

/** `columns 2 and 3 are both "Amount"` */
export function describeRepeated({ header, places }: RepeatedColumn): string {
  const numbers = places.map((place) => String(place + 1));
  const listed = `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
  return `columns ${listed} are ${numbers.length === 2 ? 'both' : 'all'} "${header}"`;
}

/**
 * Refuses a header that names two columns with different cells: taking the first would be a guess. Two with the same
 * cells are no question; some banks repeat the currency beside the balance and the amount.
 *
 * @param file.rows the first rows below the headers; a later row whose cells differ fails by itself
 * @throws UsageError (exit 2) naming the places, by which one of them can be chosen
 */
export function requireClearHeaders(file: {
  readonly columns: CsvColumns;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): void {
  const { date } = requirePositions({ date: file.columns.date }, file.headers);
  // Below the transactions may stand totals, which fill other columns.
  const rows = file.rows.filter((cells) => isDateCell(cells[date ?? 0] ?? ''));
  for (const column of findRepeatedColumns(file.columns, file.headers)) {
    if (!rows.some((cells) => isDivided(cells, column))) continue;
    const first = (column.places[0] ?? 0) + 1;
    throw new UsageError(
      `Which column holds the ${column.name} is not clear: ${describeRepeated(column)}.`,
      `Name it by its place: --${column.name}-column "column ${first}".`,
    );
  }
}
