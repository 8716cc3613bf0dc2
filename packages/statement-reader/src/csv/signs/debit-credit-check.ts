import type { Question, StatementDirection } from '../../statement.js';
import { tidyText } from '../../texts.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { isAmountCell, plainCell } from '../table/cells.js';
import type { ColumnPositions, CsvColumnName, CsvColumns } from '../table/columns.js';
import { headerList, headerNamesBalance, headerWords, vagueDirectionHeaders } from '../table/header-names.js';
import { showsBankSigns } from '../words/bank-texts.js';
import { type DirectionCodes, readDirectionCode } from './direction-codes.js';

/**
 * Checks the guess of which column has the debits and which has the credits. In exports of accounting software, a debit increases the
 * balance of a bank account. These contradict the guess:
 *
 * - a column of kinds of transactions, such as `Deposit` and `Check`
 * - words for incomes and expenses in other cells
 * - the codes of the balances: all may be debits, as on the statement of an account that is always overdrawn
 * - a column with the accounts of a ledger
 */
export class DebitCreditCheck {
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
  readonly #isGuessed: boolean;
  /** The position and the header of a column that may have the other account of each entry in a ledger. */
  readonly #ledgerPosition: number;
  readonly #ledgerHeader: string;
  #ledgerAccounts = 0;
  #otherTexts = 0;
  #textCount = 0;
  #hasAgreeingText = false;
  /** The first row with a debit and a word for an income, and the first with a credit and a word for an expense. */
  #incomeInDebit: { readonly line: number; readonly text: string } | undefined;
  #expenseInCredit: { readonly line: number; readonly text: string } | undefined;
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
    this.#isGuessed = isGuessed;
    this.#kindPosition = isGuessed
      ? file.headers.findIndex((header) => vagueDirectionHeaders.has(headerWords(header)))
      : -1;
    this.#balancePosition = isGuessed ? file.headers.findIndex(headerNamesBalance) : -1;
    this.#ledgerPosition = isGuessed
      ? file.headers.findIndex((header) => ledgerAccountHeaders.has(headerWords(header)))
      : -1;
    this.#ledgerHeader = file.headers[this.#ledgerPosition]?.trim() ?? '';
    this.#kindHeader = file.headers[this.#kindPosition]?.trim() ?? '';
    this.#positions = file.positions;
    this.#columns = file.columns;
    this.#codes = file.codes;
  }

  add(line: number, cells: readonly string[]): void {
    this.#addBalance(plainCell(cells[this.#balancePosition] ?? ''));
    const hasDebit = isFilledAmount(cells[this.#positions.debit ?? -1] ?? '');
    const hasCredit = isFilledAmount(cells[this.#positions.credit ?? -1] ?? '');
    if (hasDebit === hasCredit) return;
    const account = plainCell(cells[this.#ledgerPosition] ?? '');
    if (/^\d{3,8}$/.test(account)) this.#ledgerAccounts += 1;
    else if (account !== '') this.#otherTexts += 1;
    this.#addTexts(line, cells, hasDebit);
    const word = plainCell(cells[this.#kindPosition] ?? '');
    const direction = chequeWords.has(word.toLowerCase()) ? 'expense' : readDirectionCode(word, this.#codes);
    if (direction === undefined) return;
    if (hasDebit === (direction === 'expense')) this.#agreeing += 1;
    else {
      this.#contradicting += 1;
      this.#first ??= { line, word };
    }
  }

  #addTexts(line: number, cells: readonly string[], hasDebit: boolean): void {
    if (!this.#isGuessed || this.#hasAgreeingText || this.#textCount >= textsMax) return;
    this.#textCount += 1;
    const text = cells.filter((cell) => /\p{L}/u.test(cell)).join(' ');
    const names = (direction: StatementDirection) =>
      showsBankSigns({ isMinus: direction === 'expense', cells, description: text, category: '' });
    if (names(hasDebit ? 'expense' : 'income')) this.#hasAgreeingText = true;
    else if (hasDebit && names('income'))
      this.#incomeInDebit ??= { line, text: tidyText(text, shownCharactersMax) ?? '' };
    else if (!hasDebit && names('expense'))
      this.#expenseInCredit ??= { line, text: tidyText(text, shownCharactersMax) ?? '' };
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
   * Returns a question in four cases. The last three cases are ignored if the balance column agrees with the amounts.
   *
   * - All balances, at least two, are debits.
   * - The kinds of at least two rows contradict the columns of their amounts, and no kind agrees.
   * - A column such as `Gegenkonto` has only short numbers of accounts, at least two, as in a ledger, and no text agrees.
   * - The text of a row with a debit names an income, the text of a row with a credit names an expense, and no text agrees.
   */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const { debit = '', credit = '' } = this.#columns;
    const remedy = `In an export of accounting software, swap the columns: --debit-column "${credit}" --credit-column "${debit}". If a debit is money out, use --debit-column "${debit}" --credit-column "${credit}".`;
    if (this.#debitBalances >= debitBalancesMin && this.#otherBalances === 0) {
      const message = `All balances are debits, such as "${this.#debitBalance}". Either the account is overdrawn, or a debit is money in.`;
      return { message, remedy, requiresOption: true };
    }
    if (balance?.kind === 'agrees') return undefined;
    const [first, income, expense] = [this.#first, this.#incomeInDebit, this.#expenseInCredit];
    if (first !== undefined && this.#agreeing === 0 && this.#contradicting > 1) {
      const message = `The words of the column "${this.#kindHeader}", such as "${first.word}" in line ${first.line}, contradict the columns "${debit}" and "${credit}".`;
      return { message, remedy, requiresOption: true };
    }
    if (this.#hasAgreeingText) return undefined;
    if (this.#ledgerAccounts >= ledgerAccountsMin && this.#otherTexts === 0) {
      const message = `The column "${this.#ledgerHeader}" seems to have the accounts of a ledger. In a ledger, a debit of a bank account is money in.`;
      return { message, remedy, requiresOption: true };
    }
    if (income === undefined || expense === undefined) return undefined;
    const message = `The texts contradict the columns "${debit}" and "${credit}": line ${income.line} ("${income.text}") has a debit, and line ${expense.line} ("${expense.text}") has a credit.`;
    return { message, remedy, requiresOption: true };
  }
}

/** Headers of the other account of an entry. On bank statements, such a column has IBANs or longer numbers. */
const ledgerAccountHeaders: ReadonlySet<string> = new Set(
  headerList(
    'contra account; offset account; gegenkonto; contrapartida; cuenta contrapartida; contropartita; contrepartie; compte de contrepartie; motkonto; tegenrekening grootboek; konto przeciwstawne',
  ),
);
const ledgerAccountsMin = 2;

/** Matches a balance with the code of a debit: `3.500,00 S`, `2,800.00 Dr`. */
const debitBalance = /\d[.,]\d{2}\s*(s|soll|dr|debit)\.?$/i;
const debitBalancesMin = 2;
/** The maximum number of rows whose texts are compared, because the comparison takes long. */
const textsMax = 1000;
const shownCharactersMax = 80;

/** Returns whether a cell has an amount other than zero. */
function isFilledAmount(cell: string): boolean {
  return isAmountCell(cell) && /[1-9]/.test(cell);
}

/** Kinds of transactions that are expenses, but not common codes for expenses. */
const chequeWords: ReadonlySet<string> = new Set(['check', 'cheque']);
