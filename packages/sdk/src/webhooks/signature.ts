/** Signatures of Standard Webhooks, version 1: HMAC-SHA256 with WebCrypto. */
import { UsageError } from '../errors/usage-errors.js';

/** The headers of a webhook, in lower case. */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The parts of a webhook that a signature covers. */
export interface SignedMessage {
  readonly id: string;
  /** The time of the delivery attempt, in seconds since 1970, as in the header `webhook-timestamp`. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/**
 * Returns the signatures of a message, one for each secret, in the order of `secrets`. Each signature is `v1,` followed by base64.
 * @throws UsageError for a secret that is not base64 after the optional prefix `whsec_`
 * @source docs/webhooks.md, "The request"; Standard Webhooks
 */
export async function signaturesOf(message: SignedMessage, secrets: readonly string[]): Promise<readonly string[]> {
  const signed = signedBytes(message);
  const keys = secrets.map(keyOf);
  return Promise.all(
    keys.map(async (bytes) => {
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
      return `v1,${btoa(String.fromCharCode(...signature))}`;
    }),
  );
}

/** Returns the bytes that a signature covers: id, timestamp and body, separated by dots. */
function signedBytes({ id, timestamp, body }: SignedMessage): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  // atob ignores white space, so a secret with a line break at its end would pass without this check.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw malformedSecret();
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    throw malformedSecret();
  }
}

function malformedSecret(): UsageError {
  return new UsageError(
    'secret must be `whsec_` followed by base64, as in the response that created the endpoint or rotated its secret',
  );
}
