import { hash } from 'node:crypto';
import type { RowContentOfFile } from './statement.js';

/**
 * The facts that identify a row. Options for columns and signs do not change `content`, unless the option `newKeys` is set. An option that
 * sets the id column to `""` changes `statementId`, and options for accounts change `accountId`.
 */
export interface RowIdentity {
  readonly format: string;
  readonly accountId: string;
  /** The bank's own id of the row. If it is not null, `importKey` ignores the content. */
  readonly statementId: string | null;
  readonly content: RowContent;
}

export interface RowContent extends RowContentOfFile {
  readonly currencyCode: string;
}

/**
 * Returns the idempotency key of one row: 64 hexadecimal characters. The same row of the same file in the same account
 * always has the same key. So a repeated import, for example after Ctrl-C or a crash, records nothing twice.
 *
 * The key is SHA-256 over a JSON array. The array contains the version of the key, the format and the account's id. Then follows the bank's
 * id of the row, or the content of a row without such an id. The last element is `occurrence`. The array is JSON and not joined text,
 * because different rows may have the same joined text. The occurrence number distinguishes two equal purchases on one day. The account's
 * id distinguishes two imports of the same file into different accounts.
 *
 * Options for the delimiter, the encoding, the date format and the decimal separator change a key only if they change the
 * texts, day or amount of the row. The content is read from the columns that were used when a file with these headers was first imported,
 * and its amount keeps the sign or debit/credit code of the file. So options that name other columns or reverse signs do not change a key.
 * These options do change a key: `newKeys`, options for accounts, and an option that sets the id column to `""`.
 *
 * The content is not the text of all cells, because this text changes when a user edits a note or the bank adds a column. The next import
 * would then record the row again.
 *
 * If a new version of this code builds another array, a repeated import of a file records all its rows a second time. So each such change
 * needs a new version of the key in the first element of the array, and a way to find the old keys.
 * @param occurrence 1 for the first of identical rows in this account, then 2, 3 …, in the order of the file
 * @source docs/contract.md, section 11
 */
export function importKey(identity: RowIdentity, occurrence: number): string {
  return hash('sha256', JSON.stringify([...identityParts(identity), occurrence]));
}

/**
 * Returns the idempotency key of a transfer made of two rows. The key does not depend on the order or direction of the
 * rows, and differs from every key of a movement.
 */
export function pairKey(oneKey: string, otherKey: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'transfer', ...[oneKey, otherKey].sort()]));
}

/**
 * Returns a SHA-256 hash of the bank's id and the content of a row. Rows with equal hashes are copies of one transaction. Rows
 * with the same id but different contents are different transactions, and the second has occurrence number 2. For example,
 * some banks give a purchase and its fee the same id.
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
