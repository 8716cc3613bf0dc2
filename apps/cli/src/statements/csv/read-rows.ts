import type { StatementRow } from '../statement-row.js';
import { cutText, descriptionCharactersMax } from '../tidy-text.js';
import { type ColumnPositions, plainCell, requirePositions } from './csv-columns.js';
import type { CsvPlan } from './csv-plan.js';
import { csvRowReader } from './read-csv-row.js';
import { type RecordKind, recordJudge } from './record-kind.js';
import { nextKind, rowsBelow } from './survey-rows.js';

/**
 * The rows of a surveyed file, each with the lines that continue it. Records that can be no transaction are passed over:
 * the survey has counted them, and the reading tells where they are.
 */
export async function* readRows(plan: CsvPlan): AsyncGenerator<StatementRow> {
  const readRow = csvRowReader(plan);
  const positions = requirePositions(plan.columns, plan.headers);
  const judge = recordJudge({ headers: plan.headers, positions });
  const identityPositions = requirePositions(plan.identity, plan.headers);
  const judgeIdentity = recordJudge({ headers: plan.headers, positions: identityPositions });
  let kind: RecordKind = 'aside';
  let identityKind: RecordKind = 'aside';
  // One row is held back, because the next line may belong to it.
  let held: StatementRow | undefined;
  for await (const record of rowsBelow(plan)) {
    kind = 'cells' in record ? nextKind(judge(record.cells), kind) : 'row';
    identityKind = 'cells' in record ? nextKind(judgeIdentity(record.cells), identityKind) : 'row';
    if (held !== undefined && 'cells' in record) {
      if (kind === 'continuation') held = continueRow(held, textAt(positions, record.cells));
      // What another reading took for the end of a row belongs to it still, for whoever has to know it again.
      if (identityKind === 'continuation') held = continueIdentity(held, textAt(identityPositions, record.cells));
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

function textAt({ description, merchant }: ColumnPositions, cells: readonly string[]): string {
  const places = [description, merchant].filter((place) => place !== undefined);
  return places.map((place) => plainCell(cells[place] ?? '')).join(' ');
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
