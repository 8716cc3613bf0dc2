import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { canonicalStatus } from '../table/cells.js';
import type { ReversedRow } from './reversals.js';

/**
 * The rows that have a status such as `Reversed`, although no row of the file reverses them. Some services record the refund as another
 * row, which may be in an earlier or later file. Other services record no refund, and only change the status.
 */
export class UnreversedRows {
  readonly #rows: readonly ReversedRow[];

  constructor(rows: readonly ReversedRow[]) {
    this.#rows = rows;
  }

  /** Returns a question about these rows, unless the balance column agrees with the amounts: it then proves which rows moved money. */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const rowCount = this.#rows.length;
    if (rowCount === 0 || balance?.kind === 'agrees') return undefined;
    const statuses = new Map(this.#rows.map(({ status }) => [canonicalStatus(status), status]));
    const words = [...statuses.values()].map((status) => `"${status}"`);
    const rows = rowCount === 1 ? 'A row has' : `${rowCount} rows have`;
    const flags = (name: string) => words.map((word) => `${name} ${word}`).join(' ');
    return {
      message: `${rows} the status ${words.join(' or ')}, and no row of the file reverses ${rowCount === 1 ? 'it' : 'them'}: ${listLines(this.#rows)}.`,
      remedy: `If the refund is a row of another file, or of this file with other words, use ${flags('--final-status')}. If no row shows it, use ${flags('--skip-status')}, and void the movement if an earlier import recorded it.`,
      requiresOption: true,
    };
  }
}

function listLines(rows: readonly ReversedRow[]): string {
  const lines = rows.map(({ line }) => line).sort((one, other) => one - other);
  const more = lines.length > listedMax ? ` and ${lines.length - listedMax} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, listedMax).join(', ')}${more}`;
}

const listedMax = 5;
