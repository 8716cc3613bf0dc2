import type { StatementTransaction } from '../../statement.js';
import { parseAmount } from '../../values/amounts.js';
import { dateCandidates, withoutTime } from '../../values/dates.js';
import { type ColumnPositions, type CsvColumnName, canonicalHeader } from '../columns/columns.js';

/** The cells of a row, and the positions of the columns of one reading. */
export interface RowCells {
  readonly cells: readonly string[];
  readonly positions: ColumnPositions;
  /** Whether Centavo wrote the file, and so put an apostrophe before texts that look like formulas. */
  readonly isOwn: boolean;
}

/** Returns the text of a column; undefined if there is no such column, or the cell is empty. */
export function cellOf(row: RowCells, name: CsvColumnName): string | undefined {
  const position = row.positions[name];
  const text = position === undefined ? '' : plainCell(row.cells[position] ?? '');
  if (text === '') return undefined;
  return row.isOwn ? withoutGuard(text) : text;
}

/** Returns the same on one line, as the API takes names. */
export function nameOf(row: RowCells, name: CsvColumnName): string | null {
  const text = cellOf(row, name);
  return text === undefined ? null : onOneLine(text);
}

/**
 * Returns a cell without surrounding spaces, and without the `="…"` that keeps spreadsheets from turning text into
 * numbers.
 */
export function plainCell(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text;
}

/** Replaces line breaks: the API takes names of merchants, categories and accounts on one line only. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Returns whether a cell is a date in some known format. */
export function isDateCell(cell: string): boolean {
  const date = withoutTime(cell.trim());
  return /\d/.test(date) && date.length <= 40 && dateCandidates.some(({ read }) => read(date) !== undefined);
}

/** Returns whether a cell is an amount with either separator. Ten digits in a row are an account number. */
export function isAmountCell(cell: string): boolean {
  if (!/\d/.test(cell) || /\d{10,}/.test(cell)) return false;
  return parseAmount(cell, '.') !== undefined || parseAmount(cell, ',') !== undefined;
}

/** Returns whether a cell is the ISO code of a currency. */
export function isCurrencyCode(cell: string): boolean {
  return isoCodes.has(cell);
}

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a row has a date, and an amount in another cell. */
export function looksLikeTransaction(cells: readonly string[]): boolean {
  const date = cells.findIndex(isDateCell);
  return date !== -1 && cells.some((cell, index) => index !== date && isAmountCell(cell) && !isDateCell(cell));
}

/** What only files of `centavo movements export` have. */
export interface OwnExport {
  /** Returns the transfer group of a half of a transfer; of any other row, the movement that it was exported from. */
  readOrigin(cells: readonly string[]): Pick<StatementTransaction, 'transferGroupId' | 'movementId'>;
}

/** Recognises Centavo's own export by its headers. */
export function findOwnExport(headers: readonly string[]): OwnExport | undefined {
  const known = headers.map(canonicalHeader);
  const isOwn = ownHeaders.every((header) => known.includes(canonicalHeader(header)));
  if (!isOwn) return undefined;
  const [kind, group, id] = ['kind', 'transfergroupid', 'id'].map((name) => known.indexOf(name)) as [
    number,
    number,
    number,
  ];
  return {
    readOrigin: (cells) => {
      if (cells[kind]?.trim() === 'transfer') return { transferGroupId: cells[group]?.trim() ?? '' };
      const movementId = cells[id]?.trim() ?? '';
      return uuid.test(movementId) ? { movementId } : {};
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ownHeaders = ['occurredOn', 'type', 'kind', 'amountDecimal', 'currencyCode', 'accountName', 'transferGroupId'];

/** Removes the apostrophe that the export puts before texts that a spreadsheet would take for a formula. */
export function withoutGuard(text: string): string {
  return text.replace(/^'(?='*[=+\-@\t\r])/, '').trim();
}
