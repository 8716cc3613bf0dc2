import { hash } from 'node:crypto';
import type { RowContentOfFile } from './statement.js';

/** What identifies a row of a statement: the content of the file, independent of the options it was read with. */
export interface RowIdentity {
  readonly format: string;
  readonly accountId: string;
  /** The bank's own id of the row. If there is one, the content is not used. */
  readonly statementId: string | null;
  readonly content: RowContent;
}

export interface RowContent extends RowContentOfFile {
  readonly currencyCode: string;
}

/**
 * Returns the idempotency key of one row: 64 hexadecimal characters. The same row of the same file in the same account
 * always has the same key, so that importing again, after Ctrl-C or a crash, records nothing twice.
 *
 * The key is SHA-256 over a JSON array: the name of this recipe, the format, the account's id, then the statement's own
 * id of the row or else its content, and `occurrence`. The array is JSON and not joined text, so that no description
 * can imitate a neighbouring field. The occurrence number separates two equal coffees on one day. The account's id
 * separates the same file in two accounts.
 *
 * Options that do not change the content (delimiter, encoding, date format) do not change a key. Options that name
 * other columns or reverse signs do not change it either: the content is that of the columns by which the rows of these
 * headers were first recorded, with the signs of the file. A key over all cells would change whenever a user edits a
 * note or the bank adds a column, and the row would be recorded again.
 *
 * A change of this recipe would double every earlier import. A new recipe needs a new name in its first element, and a
 * way to find the old keys.
 * @param occurrence 1 for the first of identical rows in this account, then 2, 3 …, in the order of the file
 * @source contract, section 11
 */
export function importKey(identity: RowIdentity, occurrence: number): string {
  return hash('sha256', JSON.stringify([...identityParts(identity), occurrence]));
}

/**
 * Returns the idempotency key of a transfer made of two rows. It does not depend on their order or direction, and
 * differs from every key of a movement.
 */
export function pairKey(oneKey: string, otherKey: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'transfer', ...[oneKey, otherKey].sort()]));
}

/**
 * Returns SHA-256 of a row's own id and its content: equal only if a file has one transaction twice. Two rows with one
 * id and different contents, as some banks write a purchase and its fee, are two transactions; the second has
 * occurrence number 2.
 */
export function repetitionFingerprint(identity: RowIdentity): string {
  const parts = [...identityParts(identity), ...identityParts({ ...identity, statementId: null })];
  return hash('sha256', JSON.stringify(parts));
}

function identityParts({ format, accountId, statementId, content }: RowIdentity): readonly (string | null)[] {
  const head = ['centavo-import-1', format, accountId.toLowerCase()];
  if (statementId !== null) return [...head, 'id', statementId];
  return [
    ...head,
    'content',
    content.occurredOn,
    content.signedAmount,
    content.currencyCode,
    content.description,
    content.merchantName,
    content.categoryName,
  ];
}
