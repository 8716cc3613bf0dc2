import { plainCell } from '../rows/cells.js';
import { headerWords } from './header-names.js';

/** Headers of the number of an account: that of the statement left of the date, and that of the counterparty right of it. */
const numberHeaders: ReadonlySet<string> = new Set(
  [
    'account number',
    'account no',
    'kontonummer',
    'auftragskonto',
    'iban auftragskonto',
    'iban',
    'iban bban',
    'rekeningnummer',
    'numéro de compte',
    'número de cuenta',
    'numero conto',
    'numer rachunku',
  ].map(headerWords),
);

/** A column of the statement's own account numbers, and the first of them. */
export interface OwnAccounts {
  readonly header: string;
  readonly names: readonly string[];
}

/** Returns the position of the column with the number of the account that each row is of; undefined if there is none. */
export function findOwnAccountPosition(headers: readonly string[], datePosition: number): number | undefined {
  const position = headers.findIndex((header) => numberHeaders.has(headerWords(header)));
  return position === -1 || position > datePosition ? undefined : position;
}

/** Collects the account numbers of rows, because some banks write the rows of several accounts into one file. */
export class OwnAccountTally {
  readonly #header: string;
  readonly #position: number | undefined;
  readonly #names = new Set<string>();

  constructor(headers: readonly string[], datePosition: number) {
    this.#position = findOwnAccountPosition(headers, datePosition);
    this.#header = headers[this.#position ?? -1]?.trim() ?? '';
  }

  add(cells: readonly string[]): void {
    if (this.#position === undefined || this.#names.size === namedMax) return;
    const name = plainCell(cells[this.#position] ?? '');
    if (name !== '') this.#names.add(name);
  }

  /** Undefined if the rows name one account or none. */
  get several(): OwnAccounts | undefined {
    return this.#names.size < 2 ? undefined : { header: this.#header, names: [...this.#names] };
  }
}

/** The most account numbers that are named. */
const namedMax = 2;
