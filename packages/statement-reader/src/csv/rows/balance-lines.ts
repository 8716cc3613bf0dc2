import { addDecimals } from '../../totals.js';
import type { CsvRow } from './row.js';

/**
 * Leaves out balance lines above the first payment and below the last one. A balance line stays a failure if it may be
 * a payment: if it stands elsewhere, if it would be an expense, or if the balance column shows another balance.
 *
 * @param file.hasBalanceColumn whether rows have the balance after them
 */
export async function* leaveOutBalances(
  rows: AsyncIterable<CsvRow>,
  file: { readonly hasBalanceColumn: boolean },
): AsyncGenerator<CsvRow> {
  let above: CsvRow | undefined;
  // Balance lines, and skipped rows behind them, until the next payment shows where they stand.
  let held: CsvRow[] = [];
  for await (const row of rows) {
    const isHeld = row.balanceLine !== undefined || (held.length > 0 && row.row.outcome === 'skipped');
    if (isHeld && held.length < heldMax) {
      held.push(row);
      continue;
    }
    yield* above === undefined ? held.map((line) => leaveOut(line, { ...file, neighbor: row })) : held;
    held = [];
    // A row that cannot be read may be a payment too.
    if (row.row.outcome !== 'skipped') above = row;
    yield row;
  }
  yield* held.map((line) => leaveOut(line, { ...file, neighbor: above }));
}

/** Bounds the memory; a statement has few balance lines in a row. */
const heldMax = 20;

function leaveOut(
  csvRow: CsvRow,
  { hasBalanceColumn, neighbor }: { readonly hasBalanceColumn: boolean; readonly neighbor: CsvRow | undefined },
): CsvRow {
  const { balanceLine, balance, row } = csvRow;
  if (balanceLine === undefined) return csvRow;
  const { text, amount, isExpense } = balanceLine;
  if (hasBalanceColumn) {
    const isOwnBalance = balance === undefined || unsigned(balance) === amount;
    if (!isOwnBalance || !balancesAround(neighbor).includes(amount)) return csvRow;
  } else if (isExpense) return csvRow;
  return { ...csvRow, row: { line: row.line, outcome: 'skipped', reason: `it is a balance ("${text}")` } };
}

/** Returns the balance after a transaction, and both that are possible before it, unsigned. */
function balancesAround(csvRow: CsvRow | undefined): readonly string[] {
  if (csvRow?.balance === undefined || csvRow.row.outcome !== 'transaction') return [];
  const { amountDecimal } = csvRow.row.transaction;
  return ['0', amountDecimal, `-${amountDecimal}`].map((moved) => unsigned(addDecimals([csvRow.balance ?? '', moved])));
}

function unsigned(amount: string): string {
  return addDecimals([amount]).replace('-', '');
}
