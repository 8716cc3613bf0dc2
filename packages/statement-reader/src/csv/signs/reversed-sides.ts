import type { Doubt } from '../../statement.js';
import type { ReadingFacts } from '../findings/reading-facts.js';
import { isAmountCell, plainCell } from '../table/cells.js';
import type { ColumnPositions, CsvColumnName, CsvColumns } from '../table/columns.js';
import { headerWords, namesBalance, vagueDirectionHeaders } from '../table/header-names.js';
import { type DirectionCodes, readDirectionCode } from './direction-codes.js';

/**
 * Compares guessed debit and credit columns with a column of kinds of transactions, such as `Deposit` and `Check`, and with the codes of
 * the balances. The kinds contradict the columns in exports of accounting software, in which a debit increases the balance of a bank
 * account. In such an export, all balances may be debits, as on the statement of an account that is overdrawn all the time.
 */
export class SideCheck {
  /** The position and the header of the column with the kinds of transactions. */
  readonly #kindPosition: number;
  readonly #kindHeader: string;
  readonly #positions: ColumnPositions;
  readonly #columns: CsvColumns;
  readonly #codes: DirectionCodes;
  /** The position of the balance column; -1 if there is none, or if the debit and credit columns were not guessed. */
  readonly #balancePosition: number;
  #debitBalances = 0;
  #otherBalances = 0;
  /** The first balance with the code of a debit, such as `3.500,00 S`. */
  #debitBalance = '';
  #agreeing = 0;
  #contradicting = 0;
  /** The first row whose kind contradicts the column of its amount: for example, a `Deposit` in the guessed debit column. */
  #first: { readonly line: number; readonly word: string } | undefined;

  /** @param file.guessed the roles, such as `debit`, whose columns were guessed */
  constructor(file: {
    readonly headers: readonly string[];
    readonly columns: CsvColumns;
    readonly positions: ColumnPositions;
    readonly guessed: ReadonlySet<CsvColumnName>;
    readonly codes: DirectionCodes;
  }) {
    const isGuessed = file.guessed.has('debit') && file.guessed.has('credit');
    this.#kindPosition = isGuessed
      ? file.headers.findIndex((header) => vagueDirectionHeaders.has(headerWords(header)))
      : -1;
    this.#balancePosition = isGuessed ? file.headers.findIndex(namesBalance) : -1;
    this.#kindHeader = file.headers[this.#kindPosition]?.trim() ?? '';
    this.#positions = file.positions;
    this.#columns = file.columns;
    this.#codes = file.codes;
  }

  add(line: number, cells: readonly string[]): void {
    this.#addBalance(plainCell(cells[this.#balancePosition] ?? ''));
    const word = plainCell(cells[this.#kindPosition] ?? '');
    const direction = checks.has(word.toLowerCase()) ? 'expense' : readDirectionCode(word, this.#codes);
    if (direction === undefined) return;
    const hasDebit = isAmountCell(cells[this.#positions.debit ?? -1] ?? '');
    const hasCredit = isAmountCell(cells[this.#positions.credit ?? -1] ?? '');
    if (hasDebit === hasCredit) return;
    if (hasDebit === (direction === 'expense')) this.#agreeing += 1;
    else {
      this.#contradicting += 1;
      this.#first ??= { line, word };
    }
  }

  #addBalance(balance: string): void {
    if (balance === '') return;
    if (!debitBalance.test(balance)) this.#otherBalances += 1;
    else {
      this.#debitBalances += 1;
      if (this.#debitBalances === 1) this.#debitBalance = balance;
    }
  }

  /**
   * Returns a doubt if all balances are debits, or if at least two rows contradict their debit or credit column, and no row agrees with its
   * column. In the second case, there is no doubt if the balance column agrees with the amounts.
   */
  findDoubt({ balance }: Pick<ReadingFacts, 'balance'>): Doubt | undefined {
    const { debit = '', credit = '' } = this.#columns;
    const remedy = `In an export of accounting software, swap the columns: --debit-column "${credit}" --credit-column "${debit}". If a debit is money out, use --debit-column "${debit}" --credit-column "${credit}".`;
    if (this.#debitBalances >= debitBalancesMin && this.#otherBalances === 0) {
      const message = `All balances are debits, such as "${this.#debitBalance}". Either the account is overdrawn, or a debit is money in.`;
      return { message, remedy, requiresOption: true };
    }
    if (this.#first === undefined || this.#agreeing > 0 || this.#contradicting < 2) return undefined;
    if (balance?.kind === 'agrees') return undefined;
    const { line, word } = this.#first;
    return {
      message: `The words of the column "${this.#kindHeader}", such as "${word}" in line ${line}, contradict the columns "${debit}" and "${credit}".`,
      remedy,
      requiresOption: true,
    };
  }
}

/** Matches a balance with the code of a debit: `3.500,00 S`, `2,800.00 Dr`. */
const debitBalance = /\d[.,]\d{2}\s*(s|soll|dr|debit)\.?$/i;
const debitBalancesMin = 2;

const checks: ReadonlySet<string> = new Set(['check', 'cheque']);
