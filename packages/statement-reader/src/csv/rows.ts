import type { StatementRow } from '../statement.js';
import { cutText, descriptionCharactersMax } from '../texts.js';
import { plainCell } from './cells.js';
import { type ColumnPositions, requirePositions } from './columns.js';
import type { CsvPlan } from './plan.js';
import { recordsBelowHeaders } from './reader.js';
import { csvRowReader } from './row.js';
import { nextKind, type RowKind, rowClassifier } from './row-kind.js';

/**
 * Yields the rows of a surveyed file, each with the text of its continuation lines. It omits lines that are no
 * transactions: the findings of the survey list them.
 */
export async function* readRows(plan: CsvPlan): AsyncGenerator<StatementRow> {
  const { headers } = plan.dialect;
  const readRow = csvRowReader(plan);
  const positions = requirePositions(plan.columns.roles, headers);
  const classify = rowClassifier({ headers, positions });
  const identityPositions = requirePositions(plan.columns.identity, headers);
  const classifyIdentity = rowClassifier({ headers, positions: identityPositions });
  let kind: RowKind = 'skipped';
  let identityKind: RowKind = 'skipped';
  // Holds back one row, because the next line may continue it.
  let held: StatementRow | undefined;
  for await (const record of recordsBelowHeaders(plan.source, plan.dialect)) {
    kind = 'cells' in record ? nextKind(classify(record.cells), kind) : 'row';
    identityKind = 'cells' in record ? nextKind(classifyIdentity(record.cells), identityKind) : 'row';
    if (held !== undefined && 'cells' in record) {
      if (kind === 'continuation') held = continueRow(held, textOf(record.cells, positions));
      // The identity includes the continuation lines of the reading that was recorded first.
      if (identityKind === 'continuation') held = continueIdentity(held, textOf(record.cells, identityPositions));
    }
    if (kind !== 'row') continue;
    if (held !== undefined) yield held;
    held =
      'cells' in record
        ? readRow(record.line, record.cells)
        : { line: record.line, outcome: 'failure', reason: record.reason };
  }
  if (held !== undefined) yield held;
}

function textOf(cells: readonly string[], { description, merchant }: ColumnPositions): string {
  const positions = [description, merchant].filter((position) => position !== undefined);
  return positions.map((position) => plainCell(cells[position] ?? '')).join(' ');
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
