import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { findCentavoExport, plainCell } from '../table/cells.js';
import { headerWords } from '../table/header-names.js';
import {
  accountKinds,
  detailHeaders,
  findOwnAccountPosition,
  partHeaders,
  potHeaders,
  productHeaders,
} from './account-headers.js';
import { type SignedMovement, TransferPairs } from './transfer-pairs.js';

/** The column with the statement's own accounts, and the first two different accounts in this column. */
interface OwnAccounts {
  readonly header: string;
  readonly names: readonly string[];
  /**
   * True if only a pair of rows shows that the names are accounts of the user: the two sides of a transfer between two of them. The names
   * contain no account numbers. This proof is weak, so `--yes` is enough to record all rows in one account.
   */
  readonly areOnlyNames: boolean;
  /**
   * Whether the names are those of pots. A pot is a part of an account with its own balance, for example for savings. The rows without a
   * name then belong to the main account.
   */
  readonly arePots: boolean;
}

/** A column that may name the account of each row. */
interface AccountColumn {
  readonly position: number;
  /** Whether the column may contain the accounts of counterparties. Such a column is used only if it has no empty cell. */
  readonly mustBeFull: boolean;
  /**
   * The proof that is required before the column is used:
   *
   * - `none`: no proof is needed.
   * - `number`: a name in the column contains four digits of an account number, such as `Checking (...1234)`. A weaker proof is also
   *   enough: two rows are the two sides of a transfer between two accounts of the column.
   * - `kind`: all names are kinds of accounts, such as `Current` and `Savings`.
   */
  readonly proof: 'none' | 'number' | 'kind';
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
  /** The position of the column that names pots; -1 if there is none. */
  readonly #potPosition: number;
  readonly #potTransfers = new TransferPairs();
  /** The first pot that a row names. */
  #pot = '';
  readonly #isCentavoExport: boolean;

  /** @param positions the position of the date, and of the column that names the account of each row, if there is one */
  constructor(headers: readonly string[], { date, account }: { date: number; account: number | undefined }) {
    const column = (
      position: number,
      rules: Partial<Pick<AccountColumn, 'mustBeFull' | 'proof'>> = {},
    ): AccountColumn => ({
      position,
      mustBeFull: false,
      proof: 'none',
      ...rules,
      isFull: true,
      names: new Map(),
    });
    const numbers = findOwnAccountPosition(headers, date);
    const details = headers.flatMap((header, position) => (detailHeaders.has(headerWords(header)) ? [position] : []));
    const product = headers.findIndex((header, index) => index > date && productHeaders.has(headerWords(header)));
    const parts = headers.flatMap((header, position) => (partHeaders.has(headerWords(header)) ? [position] : []));
    this.#headers = headers;
    this.#isCentavoExport = findCentavoExport(headers) !== undefined;
    this.#potPosition = headers.findIndex((header) => potHeaders.has(headerWords(header)));
    this.#numbers = numbers === undefined ? undefined : column(numbers, { mustBeFull: numbers > date });
    const isNamed = account !== undefined && account !== numbers && !details.includes(account);
    this.#columns = [
      ...(this.#numbers === undefined ? [] : [this.#numbers]),
      ...(isNamed ? [column(account, { proof: 'number' })] : []),
      ...(product === -1 ? [] : [column(product, { mustBeFull: true, proof: 'kind' })]),
      ...parts.filter((position) => position !== account).map((position) => column(position, { mustBeFull: true })),
      ...details.filter((position) => position !== numbers).map((position) => column(position)),
    ];
  }

  /** @param readMovement returns the day, the digits and the direction of the row; undefined if its amount is zero or missing */
  add(cells: readonly string[], readMovement: () => SignedMovement | undefined): void {
    this.#addPot(cells, readMovement);
    for (const column of this.#columns) {
      const movement = column.proof === 'number' ? readMovement() : undefined;
      if (movement !== undefined) this.#transfers.add(plainCell(cells[column.position] ?? ''), movement);
      if (column.names.size === namedMax && !column.mustBeFull) continue;
      const name = plainCell(cells[column.position] ?? '');
      const key = name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
      if (key === '') column.isFull = false;
      else if (column.names.size < namedMax && !column.names.has(key)) column.names.set(key, name);
    }
  }

  /** Whether the rows name several accounts of the user. */
  get hasSeveral(): boolean {
    return this.#several !== undefined;
  }

  /**
   * Returns a question if the rows name several accounts. To record all rows in one account, the user usually has to set an option. `--yes`
   * is enough if the only proof that the names are accounts of the user is a transfer between two of them.
   */
  findQuestion({ roles, options }: Pick<InterpretationFacts, 'roles' | 'options'>): Question | undefined {
    const several = this.#several;
    if (several === undefined || roles.account !== undefined || options.columns.account === '') return undefined;
    const { header, names, areOnlyNames, arePots } = several;
    if (arePots) {
      return {
        message: `The column "${header}" names a pot in some rows: "${names[0] ?? ''}". Both sides of a transfer to or from a pot are in the file.`,
        remedy: 'Split the file by this column. If all rows belong to one account, use --account-column "".',
        requiresOption: true,
      };
    }
    const message = `The column "${header}" names several accounts: ${names.map((name) => `"${name}"`).join(', ')}.`;
    const remedy = `Split the file by this column, or use --account-column "${header}" without --account. If all rows belong to one account, use`;
    return areOnlyNames
      ? { message: `${message} Both sides of a transfer between them are in the file.`, remedy: `${remedy} --yes.` }
      : { message, remedy: `${remedy} --account-column "".`, requiresOption: true };
  }

  /** The column and its accounts; undefined if the rows name one account or none, or if the accounts may be those of counterparties. */
  get #several(): OwnAccounts | undefined {
    // An export of Centavo marks the rows of transfers, so that no transfer is recorded twice.
    if (this.#isCentavoExport) return undefined;
    // If all rows have the same account number, different names in another column are those of counterparties or bookkeeping accounts.
    const [number, ...others] = this.#numbers?.isFull === true ? this.#numbers.names.keys() : [];
    if (number !== undefined && others.length === 0 && accountNumber.test(number)) return this.#pots;
    const find = (isProven: (column: AccountColumn) => boolean) =>
      this.#columns.find(
        (column) => column.names.size === namedMax && (column.isFull || !column.mustBeFull) && isProven(column),
      );
    const certain = find(hasProof);
    const found = certain ?? find(({ proof }) => proof === 'number' && this.#transfers.hasPair);
    return found === undefined
      ? this.#pots
      : {
          header: this.#headers[found.position]?.trim() ?? '',
          names: [...found.names.values()],
          areOnlyNames: certain === undefined,
          arePots: false,
        };
  }

  #addPot(cells: readonly string[], readMovement: () => SignedMovement | undefined): void {
    const movement = this.#potPosition === -1 ? undefined : readMovement();
    if (movement === undefined) return;
    const name = plainCell(cells[this.#potPosition] ?? '');
    this.#potTransfers.add(name === '' ? 'the main account' : name, movement);
    if (this.#pot === '') this.#pot = name;
  }

  /** The column of pots; undefined if there is none, or if no two rows are the two sides of a transfer to or from a pot. */
  get #pots(): OwnAccounts | undefined {
    const header = this.#headers[this.#potPosition]?.trim() ?? '';
    return this.#potTransfers.hasPair ? { header, names: [this.#pot], areOnlyNames: false, arePots: true } : undefined;
  }
}

function hasProof({ proof, names }: AccountColumn): boolean {
  if (proof === 'none') return true;
  const keys = [...names.keys()];
  return proof === 'number' ? keys.some(hasNumber) : keys.every((name) => accountKinds.has(name));
}

/** Matches an IBAN, or the digits of an account or a card, some of which may be masked by `x`. */
const accountNumber = /^([a-z]{2}\d{2}[a-z0-9]{8,30}|[x\d]*\d{4,}[x\d]*)$/;

function hasNumber(name: string): boolean {
  return /\d{4}/.test(name);
}

/** The maximum number of different accounts to collect from each column. */
const namedMax = 2;
