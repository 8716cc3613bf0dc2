import { canonicalStatus, findDiscardWord } from './csv/table/cells.js';
import { isOnlyBalanceText } from './csv/words/balance-names.js';
import { findPendingWord } from './csv/words/pending-words.js';

/**
 * If the name of an OFX or QIF row is that of a balance, returns the reason why the row is not a transaction. If not, returns undefined.
 */
export function findBalanceReason(name: string): string | undefined {
  return isOnlyBalanceText(name) ? `"${name}" looks like a balance and not like a transaction` : undefined;
}

/**
 * If one of the texts of a row says that the payment is pending or did not happen, returns the reason why the row fails. If not, returns
 * undefined.
 * @param finalStatuses statuses that the user declared final; a text with such a status does not make the row fail
 */
export function findPendingReason(
  texts: readonly (string | undefined)[],
  finalStatuses: readonly string[],
): string | undefined {
  const final = new Set(finalStatuses.map(canonicalStatus));
  for (const text of texts) {
    if (text === undefined) continue;
    const pending = findPendingWord(text);
    const word = pending ?? findDiscardWord(text);
    if (word === undefined || final.has(word)) continue;
    return pending === undefined
      ? `"${text}" says that the payment did not happen. If it did, use --final-status "${word}"`
      : `"${text}" says that it is pending, so the bank may still change or drop it. If it is final, use --final-status "${word}"`;
  }
  return undefined;
}
