import type { StatementDirection } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import type { AmountSign } from '../../values/amounts.js';
import type { CsvColumns } from '../columns/columns.js';

/** Where an amount is: in a column without direction codes, beside such a code, or in one of two columns. */
export type AmountPlace = 'amount' | 'expense-code' | 'income-code' | 'debit' | 'credit';

/** A fee has signs too, but no place among amounts. */
export type SignedPlace = AmountPlace | 'fee';

/** How often each sign occurs in each place of the file. */
export type PlaceSignCounts = Readonly<Record<SignedPlace, Readonly<Record<AmountSign, number>>>>;

/** The signs of the file, and the meaning of a minus if it is known. */
export interface SignConvention {
  readonly signCounts: PlaceSignCounts;
  readonly minusMeans: StatementDirection | undefined;
  /** The user said that amounts without a minus are incomes. */
  readonly allIncomes?: boolean;
}

/**
 * Decides whether a row is an expense or income. The same `-5` can mean both, so the sign convention of the whole file
 * decides.
 *
 * - A column without codes: if anything is negative, the signs decide. If nothing is, and something has `+` or `CR`, it
 *   is a card statement and plain amounts are purchases (contract, section 11). Without any sign they are purchases
 *   too, never income; the user has to confirm it, see {@link isWithoutSigns}. If the user said that a minus is income,
 *   everything without one is an expense. If the user said that it is an expense, plain amounts are income, even if the
 *   file has no minus. If the user said that all amounts are incomes, only those with a minus are expenses.
 * - Beside a code, the code decides. A minus that agrees with it is decoration if all such rows have one. A minus that
 *   contradicts it, or occurs in some rows only, may be a reversal: the row fails.
 * - Two columns: the column decides. In a column with both signs, a minus is a reversal and has the other direction.
 *
 * @returns undefined if code and sign contradict each other
 */
export function decideDirection(
  place: AmountPlace,
  sign: AmountSign,
  { signCounts, minusMeans, allIncomes }: SignConvention,
): StatementDirection | undefined {
  const counts = signCounts[place];
  const mixed = counts.minus > 0 && counts.bare + counts.plus > 0;
  switch (place) {
    case 'amount':
      if (allIncomes === true) return sign === 'minus' ? 'expense' : 'income';
      if (minusMeans === 'income') return sign === 'minus' ? 'income' : 'expense';
      if (sign === 'minus') return 'expense';
      if (sign === 'plus' || counts.minus > 0) return 'income';
      return minusMeans === 'expense' && counts.plus === 0 ? 'income' : 'expense';
    case 'expense-code':
      return sign === 'plus' || (sign === 'minus' && mixed) ? undefined : 'expense';
    case 'income-code':
      return sign === 'minus' ? undefined : 'income';
    case 'debit':
      return sign === 'minus' && mixed ? 'income' : 'expense';
    case 'credit':
      return sign === 'minus' && mixed ? 'expense' : 'income';
  }
}

/** Returns whether neither sign nor column nor code shows the direction of the amounts, so that only the user knows it. */
export function isWithoutSigns(roles: CsvColumns, { signCounts, minusMeans, allIncomes }: SignConvention): boolean {
  if (minusMeans !== undefined || allIncomes === true) return false;
  const { minus, plus, bare } = signCounts.amount;
  return roles.amount !== undefined && roles.direction === undefined && bare > 0 && minus + plus === 0;
}

/** Returns counts of zero. */
export function emptySignCounts(): Record<SignedPlace, Record<AmountSign, number>> {
  const none = () => ({ minus: 0, plus: 0, bare: 0 });
  return { amount: none(), 'expense-code': none(), 'income-code': none(), debit: none(), credit: none(), fee: none() };
}

/**
 * Finds card statements with reversed signs: purchases without a sign, and a minus before payments of the card holder.
 * Read like a bank statement, every purchase would be income. So such a file is refused until the user says what its
 * minus means.
 */
export class SignConventionCheck {
  #minus = 0;
  #other = 0;
  /** The text of a row that can only be income, and has a minus. */
  #reversed: string | undefined;
  /** Whether some row has the sign of a bank statement beyond doubt. */
  #followsBanks = false;
  /** The text of a row whose code contradicts its sign. */
  #contradicted: string | undefined;

  /**
   * @param row.text its description and merchant
   * @param row.direction the direction that its code means, even if that column is not used
   */
  add(row: { sign: AmountSign | undefined; text: string; direction: StatementDirection | undefined }): void {
    if (row.sign === undefined) return;
    const isMinus = row.sign === 'minus';
    if (isMinus) this.#minus += 1;
    else this.#other += 1;
    if (row.direction !== undefined) {
      if (isMinus === (row.direction === 'expense')) this.#followsBanks = true;
      else this.#contradicted ??= row.text;
      return;
    }
    // Skips the text of rows that cannot decide.
    if (isMinus && this.#reversed === undefined && paymentReceived.test(row.text)) this.#reversed = row.text;
    if (!isMinus && !this.#followsBanks && paymentReceived.test(row.text)) this.#followsBanks = true;
  }

  /** @throws StatementError if signs contradict the texts or codes of their rows */
  requireBankConvention(): void {
    if (this.#minus === 0 || this.#other === 0 || this.#followsBanks) return;
    const example = this.#contradicted ?? (this.#other >= this.#minus ? this.#reversed : undefined);
    if (example === undefined) return;
    throw new StatementError(
      `A minus may be money in here, as some card statements write it: see the sign of "${example}".`,
      'Say what a minus is with --minus income or --minus expense.',
    );
  }
}

/** The names that card issuers give to a payment that they received. */
const paymentReceived =
  /(payment|pymt).*(thank|received)|thank ?you|autopay|automatic payment|pagamento recebido|pago recibido|su pago|gracias|paiement re[çc]u|merci|zahlung erhalten|zahlungseingang|betaling ontvangen|betalning mottagen|pagamento ricevuto|wpłata własna|spłata/i;
