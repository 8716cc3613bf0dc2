import { externalIdLengthMax } from '@centavo/contracts/calls';
import { type StatementTransaction, withoutFormatCharacters } from '@centavo/statement-reader';
import type { RowTargets } from './rows.js';

/** Returns a text without characters that the API refuses; undefined if nothing is left. */
export function textToSend(text: string | null): string | undefined {
  return withoutFormatCharacters(text ?? '').trim() || undefined;
}

/**
 * Returns the bank's own id of a row. The server finds the row by this id, even if another API key or user recorded the row
 * under another idempotency key. An id that occurs twice in the file does not identify a row.
 * @source additions, section 2.2
 */
export function externalIdOf(
  { externalId, statementId }: StatementTransaction,
  { mayRepeat }: Pick<RowTargets, 'mayRepeat'>,
): string | undefined {
  const uniqueId = statementId === null || mayRepeat(statementId) ? null : statementId;
  const id = textToSend(externalId ?? uniqueId);
  return id === undefined || [...id].length > externalIdLengthMax ? undefined : id;
}
