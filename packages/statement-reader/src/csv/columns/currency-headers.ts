import { hasFeeWord } from '../table/fee-headers.js';
import { headerDictionary, headerList, headerWords } from '../table/header-names.js';

/**
 * Returns whether a header contains a word for a currency, such as `Source currency`, `Fee ccy` or `Gebührenwährung`. The word may have
 * another meaning in some language: `Valuta` is a currency in Italian, and the value date in German.
 */
export function namesCurrency(header: string): boolean {
  return headerWords(header)
    .split(' ')
    .some((word) => currencyNouns.has(word) || currencyEnding.test(word));
}

/** Returns whether a header names the currency of a fee, such as `Fee currency`, `Commission Currency` or `Gebührenwährung`. */
export function namesFeeCurrency(header: string): boolean {
  return namesCurrency(header) && hasFeeWord(header);
}

const currencyNouns: ReadonlySet<string> = new Set([
  ...headerDictionary.currency.filter((words) => !words.includes(' ')),
  ...headerList('currencies; whg; monnaie; moneta; devizanem; devizaneme; div; cur; 幣別; 통화'),
]);

/** Matches the end of a compound word for a currency, such as `Gebührenwährung`. */
const currencyEnding = /.(wahrung|waehrung|valuta|currency|валюта|通貨|币种)$/;
