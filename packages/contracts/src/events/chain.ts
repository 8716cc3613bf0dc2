import { canonicalJson } from '../values/canonical-json.js';

/** Computes SHA-256. Browsers pass a function that uses WebCrypto, and servers pass one that uses `node:crypto`. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A position in the chain of a tracker: the number of an event and its hash. Number 0 is the position before the first event. */
export interface ChainPosition {
  readonly sequence: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** The fields of a numbered event that are necessary to verify its hash and its change. */
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
  /** The values of each changed field before and after. Null if the event has no changed fields or was redacted. */
  readonly change: unknown;
  /** Hex digits; null if the event is older than the hash chain or was redacted. */
  readonly salt: string | null;
  readonly changeDigest: string | null;
  readonly stateDigest: string | null;
}

/**
 * The first fault found in an event. `sequence`: its number is not the next number. `hash`: its hash is not the hash of its fields
 * and the previous hash. `change`: its fields `change` and `salt` do not match `changeDigest`.
 */
export type ChainFault = 'sequence' | 'hash' | 'change';

/** Returns the text whose SHA-256 is the genesis hash. The first event of a tracker has the genesis hash as its previous hash. */
export function genesisText(trackerId: string): string {
  return `centavo-chain-v1\n${trackerId.toLowerCase()}`;
}

/**
 * Returns the eleven lines that the hash of an event covers, besides the previous hash. They contain digests instead of the change and the
 * state, so that the hash stays valid after both are erased.
 * @source additions, section 4.1
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
 * Compares an event with the position before it. It is not a fault if the change and the salt of an event were both erased,
 * because the hash of the event covers only digests.
 * @returns null if the event continues the chain without a fault
 */
export async function findChainFault(
  before: ChainPosition,
  event: ChainedEvent,
  context: { readonly trackerId: string; readonly sha256: Sha256 },
): Promise<ChainFault | null> {
  if (event.sequence !== before.sequence + 1) return 'sequence';
  if ((await chainHash(before.hash, event, context)) !== event.hash) return 'hash';
  return (await hasItsChange(event, context.sha256)) ? null : 'change';
}

async function hasItsChange(event: ChainedEvent, sha256: Sha256): Promise<boolean> {
  const { change, salt, changeDigest, stateDigest } = event;
  // Events that are older than the hash chain have no digests and no salt, but may have a change.
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
