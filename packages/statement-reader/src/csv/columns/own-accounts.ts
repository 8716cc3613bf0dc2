import { plainCell } from '../rows/cells.js';
import { headerDictionary, headerWords } from './header-names.js';

/**
 * Headers of account numbers. A column with such a header has the account of the statement if it is to the left of the date, and the
 * account of the counterparty if it is to the right. `Account Number` and `Account No` are exceptions, because British and American exports
 * have them to the right of the date. There, a column with one of these two headers has the account of the statement if no row leaves it
 * empty, and the column directly to its left is not the name of the counterparty.
 */
const numberHeaders: ReadonlySet<string> = new Set(
  [
    'account number',
    'account no',
    'kontonummer',
    'kontonr',
    'účet',
    'rachunek',
    'номер счета',
    'auftragskonto',
    'iban auftragskonto',
    'iban',
    'iban bban',
    'rekeningnummer',
    'numéro de compte',
    'número de cuenta',
    'numero conto',
    'numer rachunku',
    // In exports of Revolut, `Product` names the account: `Current` or `Savings`.
    'product',
    'produkt',
  ].map(headerWords),
);

/** The column with the statement's own account numbers, and the first two different numbers in this column. */
export interface OwnAccounts {
  readonly header: string;
  readonly names: readonly string[];
}

/** Headers of account numbers that name the statement's own account even to the right of the date. */
const ownNumberHeaders: ReadonlySet<string> = new Set(['account number', 'account no'].map(headerWords));

/** Returns the position of the column with the account number of each row; undefined if there is none. */
export function findOwnAccountPosition(headers: readonly string[], datePosition: number): number | undefined {
  const known = headers.map(headerWords);
  const position = known.findIndex(
    (words, index) =>
      (ownNumberHeaders.has(words) && !headerDictionary.merchant.includes(known[index - 1] ?? '')) ||
      (index < datePosition && numberHeaders.has(words)),
  );
  return position === -1 ? undefined : position;
}

/** Collects the accounts that rows name. Some banks write the rows of several accounts into one file. */
export class OwnAccountTally {
  readonly #header: string;
  readonly #position: number | undefined;
  readonly #hasNames: boolean;
  /** Whether the column may have the accounts of counterparties. It counts as the statement's own only if no row leaves it empty. */
  readonly #mustBeFull: boolean;
  #isFull = true;
  /** Maps the letters and digits of each account to the account as the file writes it. */
  readonly #names = new Map<string, string>();

  /** @param positions the position of the date, and of the column that names the account of each row, if there is one */
  constructor(headers: readonly string[], { date, account }: { date: number; account: number | undefined }) {
    const numbers = findOwnAccountPosition(headers, date);
    this.#mustBeFull = numbers !== undefined && numbers > date;
    this.#position = numbers ?? account;
    this.#hasNames = numbers === undefined;
    this.#header = headers[this.#position ?? -1]?.trim() ?? '';
  }

  add(cells: readonly string[]): void {
    if (this.#position === undefined || (this.#names.size === namedMax && !this.#mustBeFull)) return;
    const name = plainCell(cells[this.#position] ?? '');
    const key = name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
    // Some apps write names into the account column. Names do not count, because a user who sets --account intends to merge the named
    // accounts.
    if (this.#hasNames && !accountNumber.test(key)) return;
    if (key === '') this.#isFull = false;
    else if (this.#names.size < namedMax && !this.#names.has(key)) this.#names.set(key, name);
  }

  /** The column and its accounts; undefined if the rows name one account or none, or if the accounts may be those of counterparties. */
  get several(): OwnAccounts | undefined {
    const isOwn = this.#isFull || !this.#mustBeFull;
    return this.#names.size < 2 || !isOwn ? undefined : { header: this.#header, names: [...this.#names.values()] };
  }
}

/** Matches an IBAN, or the digits of an account or a card, some of which may be masked by `x`. */
const accountNumber = /^([a-z]{2}\d{2}[a-z0-9]{8,30}|[x\d]*\d{4,}[x\d]*)$/;

/** The maximum number of collected account numbers. */
const namedMax = 2;
