/** A position in the events of a tracker, after the event with the number `sequence`. */
export interface EventPosition {
  /** 0 is the position before the first event. */
  readonly sequence: number;
  /** 16 hexadecimal digits: the first 8 bytes of the hash of the event `sequence`, or of the genesis hash if `sequence` is 0. */
  readonly hashPrefix: string;
}

const version = 1;
// The 17 bytes of a cursor have 136 bits, and its 23 base64url characters have 138. The last two bits are unused and must be zero.
const cursorPattern = /^[A-Za-z0-9_-]{22}[AEIMQUYcgkosw048]$/;

/**
 * Returns the cursor of a position: 17 bytes in base64url. The cursor contains a part of the event's hash. From this part, the server can
 * detect that the number now belongs to another event, for example because a backup was restored.
 * @param event.hash the hash of the event in hexadecimal digits; only the first 16 are used
 * @source docs/additions.md, section 3.7
 */
export function encodeEventCursor(event: { readonly sequence: number; readonly hash: string }): string {
  const bytes = new Uint8Array(17);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setBigUint64(1, BigInt(event.sequence));
  view.setBigUint64(9, BigInt(`0x${event.hash.slice(0, 16)}`));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Returns the position of a cursor, or undefined if the text is not a cursor. A number above `Number.MAX_SAFE_INTEGER` becomes
 * `Number.MAX_SAFE_INTEGER`, which is never the number of an event.
 */
export function decodeEventCursor(cursor: string): EventPosition | undefined {
  if (!cursorPattern.test(cursor)) return undefined;
  const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  const view = new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
  const sequence = Number(view.getBigUint64(1));
  const position = {
    sequence: Math.min(sequence, Number.MAX_SAFE_INTEGER),
    hashPrefix: view.getBigUint64(9).toString(16).padStart(16, '0'),
  };
  return view.getUint8(0) === version ? position : undefined;
}
