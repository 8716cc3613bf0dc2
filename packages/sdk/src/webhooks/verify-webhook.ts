import type { WebhookEvent } from '@centavo/contracts/calls';
import { UsageError } from '../errors/usage-errors.js';
import { signaturesOf, webhookHeaderNames } from './signature.js';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** The headers of a request: a `Headers` object, or a record with names in upper or lower case, such as `request.headers` of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A received webhook, and the secret of its endpoint. */
export interface VerifyWebhookOptions {
  /** The body as it was received, text or bytes. A parsed value is rejected with the reason `not_raw`. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: WebhookHeaders;
  /**
   * The secret, `whsec_…`, or a list of secrets, such as the old and the new secret during a rotation. At least one signature of the
   * webhook must be valid for one of these secrets.
   */
  readonly secret: string | readonly string[];
  /** The maximum difference between `now` and the time of the delivery attempt, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The time of the check. Default: the current time. */
  readonly now?: Date | undefined;
}

/**
 * Checks the signature and the time of a webhook, and returns its event. The server may send a webhook more than once,
 * so process each `event.data.id` once.
 * @throws WebhookVerificationError if the webhook is malformed, the server did not sign it, or its time is outside the tolerance; the
 *   `reason` of the error names the cause
 * @throws UsageError if `secret` or `toleranceSeconds` is malformed
 * @throws SyntaxError if the body has a valid signature but is not JSON
 * @example
 * import { verifyWebhook } from '@centavo/sdk/webhooks';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const secret = process.env.CENTAVO_WEBHOOK_SECRET ?? '';
 *   const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
 *   console.log(event.type, event.data.resource.id);
 *   return new Response(null, { status: 204 });
 * }
 * @source docs/additions.md, section 5.6
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = 300, now = new Date() } = options;
  // Also refuses NaN, with which every webhook would be rejected as `too_old`. The condition `toleranceSeconds < 0` would accept NaN.
  if (!(toleranceSeconds >= 0)) throw new UsageError('toleranceSeconds must be a number of at least 0');
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new UsageError('secret is an empty list');

  const bytes = bytesOf(body);
  const id = requireHeader(headers, webhookHeaderNames.id);
  const timestamp = requireHeader(headers, webhookHeaderNames.timestamp);
  const received = requireHeader(headers, webhookHeaderNames.signature).split(' ');
  requireRecent(timestamp, { toleranceSeconds, now });

  const expected = await signaturesOf({ id, timestamp, body: bytes }, secrets);
  const matches = expected.flatMap((one) => received.map((other) => isEqual(one, other)));
  if (!matches.includes(true)) {
    const message =
      'No signature matches the body. Check that the secret belongs to this endpoint and that the body is unchanged';
    throw new WebhookVerificationError('no_match', message);
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** Returns the bytes of a body. Does not use `instanceof` for buffers, because a buffer may come from another realm. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  const found = body === undefined || body === null ? 'missing' : `a parsed value (${typeof body})`;
  throw new WebhookVerificationError(
    'not_raw',
    `The body is ${found}. A signature covers the bytes that were sent, and JSON.stringify does not restore them. ` +
      "Pass the raw body: await request.text(), or express.raw({ type: 'application/json' }) in Express",
  );
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (!value) throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
  return value;
}

function findHeader(headers: WebhookHeaders, name: string): string | null | undefined {
  if (isHeaders(headers)) return headers.get(name);
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.join(' ');
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function requireRecent(
  timestamp: string,
  { toleranceSeconds, now }: { readonly toleranceSeconds: number; readonly now: Date },
): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const message = `${webhookHeaderNames.timestamp} is not a whole number of seconds since 1970`;
    throw new WebhookVerificationError('bad_timestamp', message);
  }
  const differenceSeconds = Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp));
  if (differenceSeconds <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    'too_old',
    `The time of the attempt differs by ${differenceSeconds} s from the clock of this machine; ` +
      `${toleranceSeconds} s are accepted`,
  );
}

/** Returns whether two signatures are equal. The duration of the comparison does not depend on the position of the first difference. */
function isEqual(expected: string, received: string): boolean {
  let difference = expected.length ^ received.length;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= expected.charCodeAt(index) ^ received.charCodeAt(index);
  }
  return difference === 0;
}
