import { isAmountCell, isDateCell } from '../rows/cells.js';
import { type CsvColumns, nameColumns, requirePositions } from './columns.js';
import { explainsBalance, findByHeader, readValue } from './detect-columns.js';

/**
 * Returns the position of the running balance, from 0: the column that a header names, else the only one whose differences
 * are the amounts. It is not recorded, but shows how numbers are written, and checks the amounts.
 *
 * @param file.rows the first rows below the headers
 * @param file.columns the columns of the reading; none of them is the balance
 * @returns undefined if there is none
 */
export function detectBalancePosition(file: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly columns: CsvColumns;
}): number | undefined {
  const { headers, columns } = file;
  const positions = requirePositions(columns, headers);
  const used = new Set(Object.values(positions));
  const header = findByHeader(headers, new Set()).balance;
  const named = header === undefined ? -1 : nameColumns(headers).indexOf(header);
  if (named !== -1) return used.has(named) ? undefined : named;
  const rows = file.rows.filter((cells) => cells.some(isDateCell) && cells.some(isAmountCell));
  const amountAt = (cells: readonly string[], position: number | undefined) =>
    position === undefined ? undefined : readValue(cells[position]?.trim() ?? '');
  const moves = rows.map((cells) =>
    positions.amount === undefined
      ? absolute((amountAt(cells, positions.credit) ?? 0n) - (amountAt(cells, positions.debit) ?? 0n))
      : absolute(amountAt(cells, positions.amount)),
  );
  const found = headers.flatMap((_, position) => {
    if (used.has(position)) return [];
    const balances = rows.map((cells) => amountAt(cells, position));
    const differences = balances.slice(1).map((value, row) => difference(value, balances[row]));
    const isDown = differences.every((moved, row) => moved !== undefined && moved === moves[row + 1]);
    const isUp = differences.every((moved, row) => moved !== undefined && moved === moves[row]);
    return differences.length > 1 && (isDown || isUp) ? [position] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

function absolute(value: bigint | undefined): bigint | undefined {
  return value !== undefined && value < 0n ? -value : value;
}

function difference(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || other === undefined ? undefined : absolute(one - other);
}

/** Returns whether a column is the running sum of another one, and so a balance. */
export function isRunningSum(
  header: string,
  file: { readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] },
): boolean {
  const rows = file.rows.filter((cells) => cells.some(isDateCell) && cells.some(isAmountCell));
  const columns = nameColumns(file.headers).map((name, index) => ({
    name,
    values: rows.map((cells) => readValue(cells[index]?.trim() ?? '')),
  }));
  const balances = columns.filter(({ name }) => name === header);
  // Amounts that are all zero explain a column that never changes.
  const moves = columns.filter(({ name, values }) => name !== header && values.some((value) => (value ?? 0n) !== 0n));
  return moves.some(({ values }) => explainsBalance(values, balances));
}
