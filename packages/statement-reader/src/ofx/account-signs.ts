import { CardSigns, minusRemedy, reversedSignsError } from '../card-signs.js';
import type { StatementDirection } from '../statement.js';
import { StatementError } from '../statement-error.js';
import { type FileAccount, identityOf } from '../survey-accounts.js';

/** The facts of a row that show its sign convention. */
export interface SignedRow {
  /** The direction of the transaction type; undefined if the type has no direction. */
  readonly direction: StatementDirection | undefined;
  readonly isMinus: boolean;
  readonly type: string;
  /** The payee, which is the element NAME of the transaction. Empty if there is none. */
  readonly text: string;
}

/** Counts the rows whose type agrees with the sign of their amount, and the rows whose type contradicts the sign. */
export class TypeSigns {
  agreeing = 0;
  contradicting = 0;
  /** The number of rows without a minus whose type means money out. */
  plainExpenses = 0;
  /** The first row without a minus whose type means money out. `text` is its payee, or its type if it has no payee. */
  plainExpense: { readonly type: string; readonly text: string } | undefined;
  /** The payee of the first row whose type contradicts its sign; the type if the row has no payee. */
  contradiction: string | undefined;

  add(row: SignedRow): void {
    const { direction, isMinus, type } = row;
    const text = row.text === '' ? type : row.text;
    if (direction === undefined) return;
    if (isMinus === (direction === 'expense')) this.agreeing += 1;
    else {
      this.contradicting += 1;
      this.contradiction ??= text;
    }
    if (isMinus || direction !== 'expense') return;
    this.plainExpenses += 1;
    this.plainExpense ??= { type, text };
  }
}

/**
 * Counts the signs and types of each account of a file separately. One card of the file may use the opposite signs, which totals of all
 * accounts would hide.
 */
export class AccountSigns {
  readonly #accounts = new Map<string, { isDebt: boolean; isCard: boolean; card: CardSigns; types: TypeSigns }>();

  /** @param account the account of the row; null if the statement names none */
  add(account: FileAccount | null, row: SignedRow): void {
    const identity = account === null ? '' : identityOf(account);
    const isCard = account?.type === 'credit_card';
    const isDebt = isCard || account?.type === 'loan';
    const known = this.#accounts.get(identity) ?? { isDebt, isCard, card: new CardSigns(), types: new TypeSigns() };
    this.#accounts.set(identity, known);
    known.card.add(row);
    known.types.add(row);
  }

  /** The remedy if the meaning of a minus is unclear. It has to fit all cards and loans of the file. */
  get remedy(): string {
    return [...this.#accounts.values()].filter(({ isDebt }) => isDebt).length > 1 ? severalRemedy : minusRemedy;
  }

  /**
   * Refuses a file with several accounts if a minus seems to mean income on one of its cards or loans, although the file as a whole has
   * the signs that OFX requires. A file with one account needs no such check. A card passes if a row without a minus is certainly a
   * payment to the card.
   * @throws StatementError if one of these is true for another card or a loan:
   *   - A row of the card is certainly a payment to the card, and has a minus.
   *   - At least two rows have a type that means money out, but no minus. More types contradict their signs than agree with them.
   *   - It is a card. At least two of its amounts have no minus, and they outnumber the amounts with a minus. No type agrees with its sign.
   */
  requireBankSigns(): void {
    if (this.#accounts.size < 2) return;
    for (const { isDebt, isCard, card, types } of this.#accounts.values()) {
      if (!isDebt || (isCard && card.hasPlainPayment)) continue;
      if (isCard && card.paymentWithMinus !== undefined) throw reversedSignsError(card.paymentWithMinus, severalRemedy);
      const isContradicted = types.plainExpenses > 1 && types.contradicting > types.agreeing;
      if (isContradicted) throw reversedSignsError(types.plainExpense?.text ?? '', severalRemedy);
      if (!isCard || types.agreeing > 0 || card.plainCount < 2 || card.plainCount <= card.minusCount) continue;
      throw new StatementError(
        `A minus may mean money in, as on some card statements: ${card.plainCount} of ${card.plainCount + card.minusCount} amounts of one card have no minus.`,
        severalRemedy,
        { minusMeans: 'income' },
      );
    }
  }

  /**
   * Checks a file whose signs seem to be reversed. Refuses the file if one of its cards may have the signs that OFX requires.
   * @throws StatementError if all of these are true for a card of a file with several accounts: at least two amounts have a minus, and they
   *   outnumber the others; no type contradicts its sign; and no row with a minus is certainly a payment to the card
   */
  requireReversedSigns(): void {
    if (this.#accounts.size < 2) return;
    for (const { isCard, card, types } of this.#accounts.values()) {
      const isMostlyMinus = card.minusCount > 1 && card.minusCount > card.plainCount;
      if (!isCard || types.contradicting > 0 || card.paymentWithMinus !== undefined || !isMostlyMinus) continue;
      throw new StatementError(
        `A minus may mean money in on one card of the file, and money out on another: ${card.minusCount} of ${card.plainCount + card.minusCount} amounts of one card have a minus.`,
        severalRemedy,
        { minusMeans: 'income' },
      );
    }
  }
}

const severalRemedy =
  'Import each account by itself with --statement-account. For each account, add --minus income if a minus is money in, or --minus expense if a minus is money out.';
