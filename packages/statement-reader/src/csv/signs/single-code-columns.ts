import type { Question, StatementDirection } from '../../statement.js';
import type { AmountSign } from '../../values/amounts.js';
import { plainCell } from '../table/cells.js';
import { nameColumns } from '../table/columns.js';
import { canonicalCode, type DirectionCodes } from './direction-codes.js';
import type { SignConvention } from './sign-convention.js';

/** A column whose only text is `CR` or `DR`; its other cells are empty. */
export class SingleCodeColumn {
  /** The position of the column, from 0. */
  readonly position: number;
  /** The code as the first row writes it. */
  readonly text: string;
  /** The direction of the rows with an empty cell: the opposite of the direction of the code. */
  readonly emptyMeans: StatementDirection;
  /** The number of rows with an empty cell. */
  readonly emptyCount: number;
  readonly #header: string;

  constructor(
    found: Pick<SingleCodeColumn, 'position' | 'text' | 'emptyMeans' | 'emptyCount'> & { readonly header: string },
  ) {
    this.position = found.position;
    this.text = found.text;
    this.emptyMeans = found.emptyMeans;
    this.emptyCount = found.emptyCount;
    this.#header = found.header;
  }

  /**
   * Returns a question about this column if the import does not use it. There is no question if the balances show the direction of the
   * rows.
   */
  findQuestion({ balanceOrder }: Pick<SignConvention, 'balanceOrder'>): Question | undefined {
    if (balanceOrder !== undefined) return undefined;
    const header = this.#header;
    const [code, empty] = this.emptyMeans === 'expense' ? ['in', 'out'] : ['out', 'in'];
    return {
      message: `No amount has a sign, and the column "${header}" has only "${this.text}" and empty cells: "${this.text}" may mean money ${code}, and an empty cell money ${empty}.`,
      remedy: `If it does, use --direction-column "${header}". If the column does not show the direction, use --direction-column "".`,
      requiresOption: true,
    };
  }
}

/**
 * Finds columns in which some rows have the code `CR`, or some rows have the code `DR`, and the cells of all other rows are empty. Many
 * card statements mark only the credits, and leave the cells of the purchases empty.
 */
export class SingleCodeColumnCheck {
  readonly #headers: readonly string[];
  readonly #columns: Map<number, { text: string | undefined; emptyCount: number }>;

  constructor(headers: readonly string[]) {
    this.#headers = headers;
    this.#columns = new Map(headers.map((_, position) => [position, { text: undefined, emptyCount: 0 }]));
  }

  /** @param sign the sign of the amount of the row; undefined if the row has no amount */
  add(cells: readonly string[], sign: AmountSign | undefined): void {
    if (sign === undefined) return;
    for (const [position, column] of this.#columns) {
      const text = plainCell(cells[position] ?? '');
      if (text === '') column.emptyCount += 1;
      else if (!emptyMeaning.has(canonicalCode(text))) this.#columns.delete(position);
      else if (column.text === undefined) column.text = text;
      else if (canonicalCode(column.text) !== canonicalCode(text)) this.#columns.delete(position);
    }
  }

  /** The columns that were found. */
  get found(): readonly SingleCodeColumn[] {
    const headers = nameColumns(this.#headers);
    return [...this.#columns].flatMap(([position, { text, emptyCount }]) => {
      const emptyMeans = emptyMeaning.get(canonicalCode(text ?? ''));
      if (text === undefined || emptyMeans === undefined || emptyCount === 0) return [];
      const header = headers[position]?.trim() ?? '';
      return [new SingleCodeColumn({ position, header, text, emptyMeans, emptyCount })];
    });
  }
}

/** The codes, and the meaning of an empty cell in a column that has no other text. */
const emptyMeaning: ReadonlyMap<string, StatementDirection> = new Map([
  ['cr', 'expense'],
  ['dr', 'income'],
]);

/** Returns the codes, with the empty text as a further code of the direction that an empty cell means. */
export function withEmptyCode(
  codes: DirectionCodes,
  { emptyMeans }: Pick<SingleCodeColumn, 'emptyMeans'>,
): DirectionCodes {
  return { ...codes, [emptyMeans]: new Set([...codes[emptyMeans], '']) };
}
