import { type ColumnPositions, type CsvColumnName, onOneLine, plainCell } from './csv-columns.js';
import { withoutGuard } from './own-export.js';

/** The cells of a row, and where the columns of one reading stand among them. */
export interface CellsInHand {
  readonly cells: readonly string[];
  readonly positions: ColumnPositions;
  /** Whether Centavo has written the file, and so put an apostrophe before what looks like a formula. */
  readonly isOwn: boolean;
}

/** The text of a named column; undefined where there is none, or it is empty. */
export function cellOf(row: CellsInHand, name: CsvColumnName): string | undefined {
  const position = row.positions[name];
  const text = position === undefined ? '' : plainCell(row.cells[position] ?? '');
  if (text === '') return undefined;
  return row.isOwn ? withoutGuard(text) : text;
}

/** The same on one line, as the API takes names. */
export function nameIn(row: CellsInHand, name: CsvColumnName): string | null {
  const text = cellOf(row, name);
  return text === undefined ? null : onOneLine(text);
}
