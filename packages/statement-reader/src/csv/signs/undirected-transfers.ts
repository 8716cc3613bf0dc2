import { headerWords } from '../columns/header-names.js';
import { plainCell } from '../rows/cells.js';

/** The line and type of the first transfer or reconciliation, and the number of transfers and reconciliations. */
export interface UndirectedTransfers {
  readonly line: number;
  readonly word: string;
  readonly rowCount: number;
}

/**
 * Finds transfers and reconciliations in an export of Firefly III. Their amounts have no minus, even if the money leaves the account. Such
 * an export has the columns `type`, `source_name` and `destination_name`.
 */
export class UndirectedTransferCheck {
  readonly #typePosition: number;
  #rowCount = 0;
  #first: Pick<UndirectedTransfers, 'line' | 'word'> | undefined;

  constructor(headers: readonly string[]) {
    const known = headers.map(headerWords);
    const isOfFirefly = known.includes('source name') && known.includes('destination name');
    this.#typePosition = isOfFirefly ? known.indexOf('type') : -1;
  }

  add(line: number, cells: readonly string[]): void {
    const word = plainCell(cells[this.#typePosition] ?? '');
    if (!/^(transfer|reconciliation)$/i.test(word)) return;
    this.#rowCount += 1;
    this.#first ??= { line, word };
  }

  get finding(): UndirectedTransfers | undefined {
    return this.#first === undefined ? undefined : { ...this.#first, rowCount: this.#rowCount };
  }
}
