import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { plainCell } from '../table/cells.js';
import { headerWords } from '../table/header-names.js';

/**
 * Finds transfers and reconciliations in an export of Firefly III. Their amounts have no minus, even if the money leaves the account. Such
 * an export has the columns `type`, `source_name` and `destination_name`.
 */
export class UndirectedTransferCheck {
  readonly #typePosition: number;
  #rowCount = 0;
  #first: { readonly line: number; readonly word: string } | undefined;

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

  /** Returns a question about these rows, unless an option says that the signs show the direction. */
  findQuestion({ options }: Pick<InterpretationFacts, 'options'>): Question | undefined {
    if (this.#first === undefined || options.columns.direction === '') return undefined;
    const { line, word } = this.#first;
    const rows = this.#rowCount === 1 ? '1 row is a transfer' : `${this.#rowCount} rows are transfers`;
    return {
      message: `${rows}, whose direction an export of Firefly III does not show: line ${line} is a "${word}".`,
      remedy: 'Take such rows out of the file. If their signs are right, use --direction-column "".',
      requiresOption: true,
    };
  }
}
