import { plainCell } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';

/** A row as the survey (the first pass) reads it: its cells, and the texts of the columns with a role; empty if there is no such column. */
export interface SurveyedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly date: string;
  readonly amount: string;
  readonly debit: string;
  readonly credit: string;
  readonly fee: string;
  readonly direction: string;
  readonly description: string;
  readonly merchant: string;
  readonly currency: string;
  readonly status: string;
}

/** Returns the texts of a row; undefined if the row has no date. */
export function readSurveyedRow(
  line: number,
  cells: readonly string[],
  positions: ColumnPositions,
): SurveyedRow | undefined {
  const date = textAt(cells, positions.date);
  if (date === '') return undefined;
  return {
    line,
    cells,
    date,
    amount: textAt(cells, positions.amount),
    debit: textAt(cells, positions.debit),
    credit: textAt(cells, positions.credit),
    fee: textAt(cells, positions.fee),
    direction: textAt(cells, positions.direction),
    description: textAt(cells, positions.description),
    merchant: textAt(cells, positions.merchant),
    currency: textAt(cells, positions.currency),
    status: textAt(cells, positions.status),
  };
}

/** Returns the text of a cell; empty if `position` is undefined. */
export function textAt(cells: readonly string[], position: number | undefined): string {
  return position === undefined ? '' : plainCell(cells[position] ?? '');
}
