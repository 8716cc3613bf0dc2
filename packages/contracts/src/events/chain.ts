import { canonicalJson } from '../values/canonical-json.js';

/** Computes SHA-256. Browsers pass a function that uses WebCrypto, and servers pass one that uses `node:crypto`. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A position in the hash chain of a tracker: the number and the hash of an event. Number 0 is the position before the first event. */
export interface ChainPosition {
  readonly sequence: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** The fields of an event that are necessary to verify its hash and its change. */
export interface ChainedEvent extends ChainPosition {
  readonly id: string;
  readonly type: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly occurredAt: string;
  readonly resource: { readonly type: string; readonly id: string };
  /** Null if the server itself made the change. */
  readonly userId: string | null;
  /** Null if a user session or the server itself made the change. */
  readonly credentialId: string | null;
  readonly requestId: string;
  /** The changed fields, each with its value before and after the change. Null if no field changed or the event was redacted. */
  readonly change: unknown;
  /** Hex digits. Null if the event was recorded before the hash chain was introduced, or if the event was redacted. */
  readonly salt: string | null;
  /** The salted digest of the change, in hex. */
  readonly changeDigest: string | null;
  /** The salted digest of the record after the change, in hex. */
  readonly stateDigest: string | null;
}

/**
 * The first fault found in an event:
 * - `sequence`: the number of the event is not one more than the number of the previous event
 * - `hash`: the hash of the event differs from the hash computed from its fields and the previous hash
 * - `change`: the fields `change` and `salt` of the event do not match its `changeDigest`
 */
export type ChainFault = 'sequence' | 'hash' | 'change';

/** Returns the text whose SHA-256 is the genesis hash. The first event of a tracker has the genesis hash as its previous hash. */
export function genesisText(trackerId: string): string {
  return `centavo-chain-v1\n${trackerId.toLowerCase()}`;
}

/**
 * Returns eleven lines of text. The hash of an event is computed from the previous hash and these lines. Instead of the change and the
 * state of the record, the lines contain salted digests of both. The hash therefore stays valid after the change and the salt are erased.
 * @source docs/additions.md, section 4.1
 */
export function eventLeaf(event: Omit<ChainedEvent, 'hash' | 'change' | 'salt'>, trackerId: string): string {
  return [
    'centavo-event-v1',
    trackerId.toLowerCase(),
    event.sequence,
    event.id,
    event.occurredAt,
    actorOf(event),
    event.type,
    `${event.resource.type} ${event.resource.id}`,
    event.requestId,
    event.changeDigest ?? '-',
    event.stateDigest ?? '-',
  ].join('\n');
}

function actorOf({ userId, credentialId }: Pick<ChainedEvent, 'userId' | 'credentialId'>): string {
  if (credentialId !== null) return `credential:${credentialId} user:${userId}`;
  return userId === null ? 'system' : `user:${userId}`;
}

/** Returns the position before the first event of a tracker. */
export async function genesisOf(trackerId: string, sha256: Sha256): Promise<ChainPosition> {
  return { sequence: 0, hash: toHex(await sha256(utf8(genesisText(trackerId)))) };
}

/** Returns the hash of an event, in hex, computed from the event and the previous hash. */
export async function chainHash(
  before: string,
  event: Omit<ChainedEvent, 'hash' | 'change' | 'salt'>,
  { trackerId, sha256 }: { readonly trackerId: string; readonly sha256: Sha256 },
): Promise<string> {
  return toHex(await sha256(concat(fromHex(before), utf8(eventLeaf(event, trackerId)))));
}

/** Returns the digest of a change or a state, in hex: SHA-256 of the salt and the canonical JSON. */
export async function saltedDigest(salt: string, value: unknown, sha256: Sha256): Promise<string> {
  return toHex(await sha256(concat(fromHex(salt), utf8(canonicalJson(value)))));
}

/**
 * Returns the first fault of an event that follows the position `before`, or null if it has none. An event may lack both its change and
 * its salt, for example after a redaction: the hash of the event covers only the stored digest of the change.
 */
export async function findChainFault(
  before: ChainPosition,
  event: ChainedEvent,
  context: { readonly trackerId: string; readonly sha256: Sha256 },
): Promise<ChainFault | null> {
  if (event.sequence !== before.sequence + 1) return 'sequence';
  if ((await chainHash(before.hash, event, context)) !== event.hash) return 'hash';
  return (await changeMatchesDigest(event, context.sha256)) ? null : 'change';
}

async function changeMatchesDigest(event: ChainedEvent, sha256: Sha256): Promise<boolean> {
  const { change, salt, changeDigest, stateDigest } = event;
  // Events that were recorded before the hash chain was introduced have no digests and no salt, but may have a change.
  if (changeDigest === null) return change === null || (salt === null && stateDigest === null);
  if (salt === null) return change === null;
  return change !== null && (await saltedDigest(salt, change, sha256)) === changeDigest;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
