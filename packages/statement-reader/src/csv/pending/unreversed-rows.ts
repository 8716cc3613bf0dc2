import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { canonicalStatus } from '../table/cells.js';

/** A row that another row of the file may reverse. */
export interface ReversedRow {
  readonly line: number;
  readonly currency: string | null;
  /** Signed, in ten-thousandths of a unit of the currency. */
  readonly amount: bigint;
  /** The description and the merchant of the row, without words for a reversal. */
  readonly texts: readonly string[];
  readonly status: string;
}

/**
 * The rows that have a status such as `Reversed`, although no row of the file reverses them. Some services record the refund as another
 * row, which may be in an earlier or later file. Other services record no refund, and only change the status.
 */
export class UnreversedRows {
  readonly #rows: readonly ReversedRow[];

  /**
   * @param rows the rows with such a status that no final row reverses. Two of them reverse each other if they have opposite amounts in one
   *   currency and share a text
   */
  constructor(rows: readonly ReversedRow[]) {
    this.#rows = withoutPairs(rows);
  }

  /** Returns a question about these rows, unless the balance column agrees with the amounts: it then proves which rows moved money. */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const rowCount = this.#rows.length;
    if (rowCount === 0 || balance?.kind === 'agrees') return undefined;
    const line = Math.min(...this.#rows.map((row) => row.line));
    const statuses = new Map(this.#rows.map(({ status }) => [canonicalStatus(status), status]));
    const words = [...statuses.values()].map((status) => `"${status}"`);
    const rows = rowCount === 1 ? 'A row has' : `${rowCount} rows have`;
    const flags = (name: string) => words.map((word) => `${name} ${word}`).join(' ');
    return {
      message: `${rows} the status ${words.join(' or ')}, and no row of the file reverses ${rowCount === 1 ? 'it' : 'them'}: line ${line}.`,
      remedy: `If the refund is a row of another file, use ${flags('--final-status')}. If no other row shows it, use ${flags('--skip-status')}.`,
      requiresOption: true,
    };
  }
}

/** Returns the rows that no other of these rows reverses. */
function withoutPairs(rows: readonly ReversedRow[]): readonly ReversedRow[] {
  const open = new Map<string, ReversedRow[]>();
  for (const row of rows) {
    const opposite = open.get(`${row.currency} ${-row.amount}`) ?? [];
    const position = opposite.findIndex((other) => sharesText(row, other));
    if (position >= 0) opposite.splice(position, 1);
    else open.set(`${row.currency} ${row.amount}`, [...(open.get(`${row.currency} ${row.amount}`) ?? []), row]);
  }
  return [...open.values()].flat();
}

/** Returns whether two rows have the same description or merchant. */
export function sharesText(one: Pick<ReversedRow, 'texts'>, other: Pick<ReversedRow, 'texts'>): boolean {
  return one.texts.some((text) => other.texts.includes(text));
}
