import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@centavo/contracts/calls';

/** One intended write: the tool, the resolved tracker, and the arguments without `confirm` and `trackerId`. */
export interface Intent {
  readonly tool: string;
  readonly trackerId: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const randomBytesCount = 16;
const digestBytesCount = 12;
const pattern = /^c1\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{16})$/;

/**
 * Returns a confirmation of one intent: `c1.<16 random bytes>.<first 12 bytes of a digest>`, with all bytes in base64url. The digest
 * binds the confirmation to the tool, the tracker and the arguments, so the server need not store confirmations.
 * @source docs/additions.md, section 6
 */
export function createConfirm(intent: Intent, random: Buffer = randomBytes(randomBytesCount)): string {
  return `c1.${random.toString('base64url')}.${digestOf(intent, random)}`;
}

/** Returns whether `confirm` was created for exactly this intent. */
export function isConfirmOf(confirm: string, intent: Intent): boolean {
  const [, random = '', digest = ''] = pattern.exec(confirm) ?? [];
  return digest !== '' && digest === digestOf(intent, Buffer.from(random, 'base64url'));
}

/**
 * Returns the idempotency key of a confirmed write. The key depends only on `confirm`, so a second call with the same value of `confirm`
 * is a replay.
 */
export function keyOfConfirm(confirm: string): string {
  return `mcp:${confirm}`;
}

function digestOf({ tool, trackerId, arguments: given }: Intent, random: Buffer): string {
  const hash = createHash('sha256').update(random).update(tool).update(trackerId).update(canonicalJson(given));
  return hash.digest().subarray(0, digestBytesCount).toString('base64url');
}
