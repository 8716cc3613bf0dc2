import { canonicalStatus } from './csv/rows/cells.js';
import { isOnlyBalanceText } from './csv/rows/row-kind.js';
import { findPendingWord } from './csv/signs/row-texts.js';

/** Returns the reason why a row of OFX or QIF with this name is not a transaction; undefined if it is not a balance. */
export function findBalanceReason(name: string): string | undefined {
  return isOnlyBalanceText(name) ? `"${name}" looks like a balance and not like a transaction` : undefined;
}

/**
 * Returns the reason why the texts of a row say that it is pending; undefined if they do not.
 * @param finalStatuses statuses that the user declared final
 */
export function findPendingReason(
  texts: readonly (string | undefined)[],
  finalStatuses: readonly string[],
): string | undefined {
  const final = new Set(finalStatuses.map(canonicalStatus));
  for (const text of texts) {
    const word = text === undefined ? undefined : findPendingWord(text);
    if (word === undefined || final.has(word)) continue;
    return `"${text}" says that it is pending, so the bank may still change or drop it. If it is final, use --final-status "${word}"`;
  }
  return undefined;
}
