import type { StatementRow } from '../statement-row.js';
import { plainCell, requirePositions } from './csv-columns.js';
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
  const textPositions = [positions.description, positions.merchant].filter((place) => place !== undefined);
  let kind: RecordKind = 'aside';
  // One row is held back, because the next line may belong to it.
  let held: StatementRow | undefined;
  for await (const record of rowsBelow(plan)) {
    kind = 'cells' in record ? nextKind(judge(record.cells), kind) : 'row';
    if (kind === 'continuation' && held !== undefined && 'cells' in record) {
      held = continueRow(held, textPositions.map((place) => plainCell(record.cells[place] ?? '')).join(' '));
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

function continueRow(row: StatementRow, text: string): StatementRow {
  if (row.outcome !== 'transaction') return row;
  const description = [row.transaction.description ?? '', text.trim()].filter((part) => part !== '').join(' ');
  return { ...row, transaction: { ...row.transaction, description } };
}
