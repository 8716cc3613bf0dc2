import { currenciesOfText } from '../../values/currency-symbols.js';
import { isCurrencyCode } from '../table/cells.js';

/**
 * Finds two rows with different currencies in the currency column of a file. If there are such rows, a row with an empty currency cell may
 * have either currency, or that of the account. Texts that are no known currency are ignored.
 */
export class RowCurrencyTally {
  #first: { readonly text: string; readonly codes: ReadonlySet<string> } | undefined;
  #other: string | undefined;

  /** @param text the cell of the currency column; empty if there is none */
  add(text: string): void {
    if (text === '' || this.#other !== undefined || text === this.#first?.text) return;
    const codes = codesOf(text);
    if (codes === undefined) return;
    this.#first ??= { text, codes };
    const known = this.#first.codes;
    // "EUR", "€" and "Euro" may be one currency.
    if (![...codes].some((code) => known.has(code))) this.#other = text;
  }

  /** The first two different currencies, as the file writes them; undefined if there are fewer. */
  get several(): readonly string[] | undefined {
    return this.#first === undefined || this.#other === undefined ? undefined : [this.#first.text, this.#other];
  }
}

/** Returns the codes of the currencies that a text can mean; undefined if it is no known currency. */
function codesOf(text: string): ReadonlySet<string> | undefined {
  const code = text.toUpperCase();
  return isCurrencyCode(code) ? new Set([code]) : currenciesOfText(text);
}

/** Returns the reason why a row with an empty currency cell fails, if the other rows have several currencies. */
export function explainBlankCurrency(header: string, [one = '', other = '']: readonly string[]): string {
  return `it has no currency, and other rows have "${one}" and "${other}": fill in the column "${header}", or use --currency-column "" if all amounts are in the currency of the account`;
}
