import { hash } from 'node:crypto';
import type { RowContentOfFile } from './statement-row.js';

/** What identifies a row of a statement: what the bank wrote, not how it was asked to be read. */
export interface RowIdentity {
  readonly format: string;
  readonly accountId: string;
  /** The statement's own id of the row; where there is one, the content does not matter. */
  readonly statementId: string | null;
  readonly content: RowContent;
}

export interface RowContent extends RowContentOfFile {
  readonly currencyCode: string;
}

/**
 * The idempotency key of one row: 64 hexadecimal characters, the same for ever for the same row of the same file in the
 * same account, so that importing again, after Ctrl-C or a crash, records nothing twice.
 *
 * The key is SHA-256 over a JSON array: a name for this recipe, the format, the account's id, then the statement's own
 * id of the row or else its content, and `occurrence`. An array in JSON, rather than joined text, because no
 * description can then imitate a neighbouring field. Two equal coffees on one day are told apart by their occurrence
 * number, 1 and 2; the account's id makes the same file in two accounts two sets. Flags that do not change the content
 * (delimiter, encoding, date format, dry run, concurrency) do not appear, so they cannot change a key. Flags that name
 * other columns, or turn the signs, do not either: the content is that of the columns by which the rows of these headers
 * were first recorded, with the signs of the file. All cells of a row were no better: banks let people edit notes and
 * categories and add columns, and each such edit would record the row again.
 *
 * Changing this recipe would double every earlier import: a new one needs a new name in its first element, and a way
 * to find the old keys. Source: contract, section 11.
 *
 * @param occurrence 1 for the first of identical rows in this account, then 2, 3 …, in the order of the file
 */
export function importKey(identity: RowIdentity, occurrence: number): string {
  return hash('sha256', JSON.stringify([...identityParts(identity), occurrence]));
}

/**
 * The idempotency key of a transfer that two rows have become: one for the two rows, whichever of them the file has
 * first or a reading takes for money out, and never the key of a movement.
 */
export function pairKey(oneKey: string, otherKey: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'transfer', ...[oneKey, otherKey].sort()]));
}

/**
 * SHA-256 of a row's own id and its content: equal only where a file tells one transaction twice. Two rows with one id
 * and different contents, as some banks write a purchase and its fee, are two; the second has occurrence number 2.
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
