import type { Question } from '../../statement.js';
import { findAmountSign } from '../../values/amounts.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { plainCell } from '../table/cells.js';
import { type CsvColumns, canonicalHeader } from '../table/columns.js';
import { namesFee, withheldTaxHeaders } from '../table/fee-headers.js';
import { grossAmountHeaders, headerWords, netAmountHeaders } from '../table/header-names.js';

/**
 * Counts rows with a fee or a withheld tax in a column that is not recorded. If the fee or tax is not deducted
 * from the amount of the row, the recorded balance becomes too high.
 */
export class UnrecordedFees {
  readonly #columns: { readonly header: string; readonly position: number; rowCount: number }[];

  constructor(headers: readonly string[], columns: CsvColumns) {
    const used = new Set(Object.values(columns).map(canonicalHeader));
    const amount = headerWords(columns.amount ?? '');
    const isUnrecorded = (words: string) =>
      (namesFee(words) && !netAmountHeaders.has(amount)) ||
      (withheldTaxHeaders.has(words) && !netAmountHeaders.has(amount) && !grossAmountHeaders.has(amount));
    this.#columns = headers.flatMap((header, position) =>
      isUnrecorded(headerWords(header)) && !used.has(canonicalHeader(header))
        ? [{ header: header.trim(), position, rowCount: 0 }]
        : [],
    );
  }

  add(cells: readonly string[]): void {
    for (const column of this.#columns) {
      if (findAmountSign(plainCell(cells[column.position] ?? '')) !== undefined) column.rowCount += 1;
    }
  }

  /** The headers of the unrecorded columns in which some row has a fee or tax; empty if all fees and taxes are zero. */
  get headers(): readonly string[] {
    return this.#columns.filter(({ rowCount }) => rowCount > 0).map(({ header }) => header);
  }

  /** A clause such as `5 rows have a "Fee" that is not recorded`; undefined if all fees and taxes are zero. */
  get description(): string | undefined {
    const parts = this.#columns
      .filter(({ rowCount }) => rowCount > 0)
      .map(
        ({ header, rowCount }) =>
          `${rowCount === 1 ? '1 row has' : `${rowCount} rows have`} a "${header}" that is not recorded`,
      );
    return parts.length === 0 ? undefined : parts.join(', ');
  }

  /** Returns a question if fees may be left out, or may be added to an amount that already includes them. */
  findQuestion({
    roles,
    balance,
    options,
  }: Pick<InterpretationFacts, 'roles' | 'balance' | 'options'>): Question | undefined {
    // The fees are handled correctly if the balances include the recorded fees, or show that the fees must not be recorded.
    if (balance?.kind === 'agrees' && (balance.provesFees || roles.fee !== undefined)) return undefined;
    if (roles.fee !== undefined && roles.amount !== undefined && netAmountHeaders.has(headerWords(roles.amount))) {
      return {
        message: `The amounts in the column "${roles.amount}" seem to include the fees in the column "${roles.fee}", which would be recorded twice.`,
        remedy: 'Leave out --fee-column, or name the amounts before fees with --amount-column.',
        requiresOption: true,
      };
    }
    const unrecorded = this.description;
    if (unrecorded === undefined || options.columns.fee === '') return undefined;
    if (roles.fee !== undefined) {
      return {
        message: `${unrecorded}. Only the column "${roles.fee}" is recorded.`,
        remedy: 'Record the other fees and taxes by hand, and use --yes to accept how the file is read.',
      };
    }
    const flags = this.headers.map((header) => `--fee-column "${header}"`).join(' or ');
    return {
      message: `${unrecorded}.`,
      remedy: `Record these amounts with ${flags}, or leave them out with --fee-column "".`,
      requiresOption: true,
    };
  }
}
