import type { StatementRow } from '../../statement.js';
import { cutText, descriptionCharactersMax } from '../../texts.js';
import { decideByBalance } from '../balances/balance-column.js';
import { nextKind, type RowKind, rowClassifier } from '../lines/row-kind.js';
import type { CsvPlan } from '../plan/plan.js';
import { type CsvRow, csvRowReader } from '../row/row.js';
import { plainCell } from '../table/cells.js';
import { type ColumnPositions, requirePositions } from '../table/columns.js';
import { recordsBelowHeaders } from '../table/reader.js';

/**
 * Yields the rows of a file according to its plan, which `surveyRows` makes in a first pass over the whole file. If an option names a fee
 * column, each row with a fee is followed by a separate row for the fee. A row that has only a fee is replaced by the row for the fee.
 */
export async function* readRows(plan: CsvPlan): AsyncGenerator<StatementRow> {
  for await (const row of readCsvRows(plan)) yield* rowsOf(row);
}

/** Returns a row and its fee. If the row is skipped because it has no amount, or an amount of zero, returns only its fee. */
export function rowsOf({ row, fee }: CsvRow): readonly StatementRow[] {
  if (fee === undefined) return [row];
  return row.outcome === 'skipped' ? [fee] : [row, fee];
}

/** Yields the rows of a file according to its plan, with the cells, the balance and the fee of each row. */
export function readCsvRows(plan: CsvPlan): AsyncIterable<CsvRow> {
  const rows = readUndecidedRows(plan);
  const { balanceOrder: order, signCounts } = plan.signs;
  return order === undefined ? rows : decideByBalance(rows, { order, signCounts });
}

/**
 * Yields the rows of a file, each with the text of its continuation lines. Directions that only the balances show are not decided yet.
 * Omits lines that are not rows, because the first pass has already counted them.
 */
export async function* readUndecidedRows(plan: CsvPlan): AsyncGenerator<CsvRow> {
  const { headers } = plan.dialect;
  const readRow = csvRowReader(plan);
  const positions = requirePositions(plan.columns.roles, headers);
  const classify = rowClassifier({ headers, positions });
  const identityPositions = requirePositions(plan.columns.identity, headers);
  const classifyIdentity = rowClassifier({ headers, positions: identityPositions });
  let kind: RowKind = 'note';
  let identityKind: RowKind = 'note';
  // One row is held back, because the next line may continue it.
  let held: CsvRow | undefined;
  for await (const record of recordsBelowHeaders(plan.source, plan.dialect)) {
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    identityKind = 'cells' in record ? nextKind(classifyIdentity(record.cells), identityKind) : 'row';
    if (held !== undefined && 'cells' in record) {
      if (kind === 'continuation') held = continueBoth(held, textOf(record.cells, positions), continueRow);
      // The identity of a row, by which later imports recognize the row, is read from the columns that were used when a file with these
      // headers was first imported. A line may be a continuation in those columns, but not in the columns of this import.
      if (identityKind === 'continuation') {
        held = continueBoth(held, textOf(record.cells, identityPositions), continueIdentity);
      }
    }
    if (kind !== 'row') continue;
    if (held !== undefined) yield held;
    held =
      'cells' in record
        ? readRow(record.line, record.cells)
        : withoutCells({ line: record.line, outcome: 'failure', reason: record.reason });
  }
  if (held !== undefined) yield held;
}

function textOf(cells: readonly string[], { description, merchant }: ColumnPositions): string {
  const positions = [description, merchant].filter((position) => position !== undefined);
  return positions.map((position) => plainCell(cells[position] ?? '')).join(' ');
}

function withoutCells(row: StatementRow): CsvRow {
  return {
    row,
    cells: [],
    merchants: undefined,
    balance: undefined,
    undecided: undefined,
    fee: undefined,
    isEmpty: false,
    balanceLine: undefined,
    totalLine: undefined,
  };
}

/** Returns a copy of a row. In the copy, `act` has appended a text to the row and to its fee. */
function continueBoth(held: CsvRow, text: string, act: (row: StatementRow, text: string) => StatementRow): CsvRow {
  return { ...held, row: act(held.row, text), fee: held.fee === undefined ? undefined : act(held.fee, text) };
}

function continueRow(row: StatementRow, text: string): StatementRow {
  if (row.outcome !== 'transaction') return row;
  const description = continueText(row.transaction.description, text);
  const transaction = { ...row.transaction, description: cutText(description, descriptionCharactersMax) };
  return { ...row, transaction };
}

function continueIdentity(row: StatementRow, text: string): StatementRow {
  if (row.outcome !== 'transaction' || row.transaction.identity === undefined) return row;
  const { identity } = row.transaction;
  const description = continueText(identity.description, text);
  return { ...row, transaction: { ...row.transaction, identity: { ...identity, description } } };
}

function continueText(before: string | null, text: string): string {
  return [before ?? '', text.trim()].filter((part) => part !== '').join(' ');
}
