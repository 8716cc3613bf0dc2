import { plainCell } from '../rows/cells.js';
import { headerDictionary, headerWords } from './header-names.js';
import { type SignedMovement, TransferPairs } from './transfer-pairs.js';

/**
 * Headers of account numbers. A column with such a header has the account of the statement if it is to the left of the date, and the
 * account of the counterparty if it is to the right. `Account Number` and `Account No` are exceptions, because British and American exports
 * have them to the right of the date. To the right of the date, a column with one of these two headers has the account of the statement if
 * no row leaves it empty, and the column directly to its left does not have the name of the counterparty.
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

/**
 * Headers of columns with a detail of the statement's own account. The name of the account is in another column. In exports of Copilot, the
 * detail is the last digits of the account number. In exports of GnuCash, it is the full name, which begins with the names of all parent
 * accounts, such as `Assets:Checking`.
 */
const detailHeaders: ReadonlySet<string> = new Set(['account mask', 'full account name'].map(headerWords));

/** The column with the statement's own accounts, and the first two different accounts in this column. */
export interface OwnAccounts {
  readonly header: string;
  readonly names: readonly string[];
  /**
   * True if the names contain no account numbers, and the only proof that they are accounts of the user is a pair of rows: the two sides
   * of a transfer between two of these accounts. An app may name several accounts even if the user wants to record all rows in one account.
   */
  readonly areOnlyNames: boolean;
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

/** A column that may name the account of each row. */
interface AccountColumn {
  readonly position: number;
  /** Whether the column may have the accounts of counterparties. Such a column is used only if it has no empty cell. */
  readonly mustBeFull: boolean;
  /**
   * Whether the column is used only if a name in it contains four digits of an account number, such as `Checking (...1234)`, or if two
   * rows are the two sides of a transfer between two of its accounts.
   */
  readonly needsProof: boolean;
  isFull: boolean;
  /** The first two different accounts, as the file writes them. The keys are their letters and digits, in lower case. */
  readonly names: Map<string, string>;
}

/**
 * Collects the accounts that rows name. Some banks and most apps write the rows of several accounts into one file, and a transfer between
 * two of these accounts is then in two rows.
 */
export class OwnAccountTally {
  readonly #headers: readonly string[];
  /** The column of account numbers; undefined if there is none. */
  readonly #numbers: AccountColumn | undefined;
  /** All columns that may name the account of each row, the most reliable first. */
  readonly #columns: readonly AccountColumn[];
  readonly #transfers = new TransferPairs();

  /** @param positions the position of the date, and of the column that names the account of each row, if there is one */
  constructor(headers: readonly string[], { date, account }: { date: number; account: number | undefined }) {
    const column = (position: number, rules: { mustBeFull?: boolean; needsProof?: boolean } = {}): AccountColumn => ({
      position,
      mustBeFull: false,
      needsProof: false,
      ...rules,
      isFull: true,
      names: new Map(),
    });
    const numbers = findOwnAccountPosition(headers, date);
    const details = headers.flatMap((header, position) => (detailHeaders.has(headerWords(header)) ? [position] : []));
    this.#headers = headers;
    this.#numbers = numbers === undefined ? undefined : column(numbers, { mustBeFull: numbers > date });
    const isNamed = account !== undefined && account !== numbers && !details.includes(account);
    this.#columns = [
      ...(this.#numbers === undefined ? [] : [this.#numbers]),
      ...(isNamed ? [column(account, { needsProof: true })] : []),
      ...details.filter((position) => position !== numbers).map((position) => column(position)),
    ];
  }

  /** @param readMovement returns the day and the amount of the row, as the file writes them; undefined if the row has no amount */
  add(cells: readonly string[], readMovement: () => SignedMovement | undefined): void {
    for (const column of this.#columns) {
      const movement = column.needsProof ? readMovement() : undefined;
      if (movement !== undefined) this.#transfers.add(plainCell(cells[column.position] ?? ''), movement);
      if (column.names.size === namedMax && !column.mustBeFull) continue;
      const name = plainCell(cells[column.position] ?? '');
      const key = name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
      if (key === '') column.isFull = false;
      else if (column.names.size < namedMax && !column.names.has(key)) column.names.set(key, name);
    }
  }

  /** The column and its accounts; undefined if the rows name one account or none, or if the accounts may be those of counterparties. */
  get several(): OwnAccounts | undefined {
    // If all rows have the same account number, different names in another column are those of counterparties or bookkeeping accounts.
    const [number, ...others] = this.#numbers?.isFull === true ? this.#numbers.names.keys() : [];
    if (number !== undefined && others.length === 0 && accountNumber.test(number)) return undefined;
    const find = (hasProof: boolean) =>
      this.#columns.find(
        ({ names, isFull, mustBeFull, needsProof }) =>
          names.size === namedMax &&
          (isFull || !mustBeFull) &&
          (!needsProof || hasProof || [...names.keys()].some(hasNumber)),
      );
    const certain = find(false);
    const found = certain ?? find(this.#transfers.hasPair);
    return found === undefined
      ? undefined
      : {
          header: this.#headers[found.position]?.trim() ?? '',
          names: [...found.names.values()],
          areOnlyNames: certain === undefined,
        };
  }
}

/** Matches an IBAN, or the digits of an account or a card, some of which may be masked by `x`. */
const accountNumber = /^([a-z]{2}\d{2}[a-z0-9]{8,30}|[x\d]*\d{4,}[x\d]*)$/;

function hasNumber(name: string): boolean {
  return /\d{4}/.test(name);
}

/** The maximum number of different accounts to collect from each column. */
const namedMax = 2;
