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

/**
 * Returns the pairs of rows that reverse each other. The two rows have opposite amounts in one currency, and share a text. The second row of
 * a pair is the expense.
 */
export function pairOpposites<Row extends ReversedRow>(rows: readonly Row[]): readonly (readonly [Row, Row])[] {
  const open = new Map<string, Row[]>();
  const pairs: (readonly [Row, Row])[] = [];
  for (const row of rows) {
    const opposite = open.get(`${row.currency} ${-row.amount}`) ?? [];
    const position = opposite.findIndex((other) => sharesText(row, other));
    const [other] = position >= 0 ? opposite.splice(position, 1) : [];
    if (other !== undefined) pairs.push(row.amount > 0n ? [row, other] : [other, row]);
    else open.set(`${row.currency} ${row.amount}`, [...(open.get(`${row.currency} ${row.amount}`) ?? []), row]);
  }
  return pairs;
}

/** Returns whether two rows have the same description or merchant. */
export function sharesText(one: Pick<ReversedRow, 'texts'>, other: Pick<ReversedRow, 'texts'>): boolean {
  return one.texts.some((text) => other.texts.includes(text));
}
