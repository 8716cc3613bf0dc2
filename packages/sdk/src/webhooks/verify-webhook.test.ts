import * as contracts from '@centavo/contracts/calls';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { isUsageError } from '../errors/usage-errors.js';
import { aWebhookEvent, signWebhook } from '../testing/index.js';
import { isWebhookVerificationError, type VerifyWebhookOptions, verifyWebhook } from './index.js';
import { signaturesOf, webhookHeaderNames } from './signature.js';

const secret = newSecret(1);
const now = new Date('2026-01-31T12:00:00.900Z');
const event = aWebhookEvent({ data: { record: { description: 'Café 🍜 — “menú”' } } });
const body = JSON.stringify(event);

test('verifyWebhook returns the event of a webhook that the library standardwebhooks signed, for a body as a string or bytes', async () => {
  const headers = standardHeaders();
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(event);
  const bytes = new TextEncoder().encode(body);
  expect(await verifyWebhook({ body: bytes, headers, secret, now })).toEqual(event);
  expect(await verifyWebhook({ body: bytes.buffer, headers, secret, now })).toEqual(event);
  expect(await verifyWebhook({ body: Buffer.from(`x${body}`).subarray(1), headers, secret, now })).toEqual(event);
});

test('the library standardwebhooks verifies, with either secret, a webhook that signWebhook signed with two secrets', async () => {
  const secrets = [newSecret(2), secret];
  const headers = await signWebhook({ body, secret: secrets });
  for (const one of secrets) expect(new Webhook(one).verify(body, headers)).toEqual(event);
  expect(headers).toMatchObject({ 'webhook-id': event.data.id, 'content-type': 'application/json' });
});

test('verifyWebhook accepts a webhook if one of several secrets matches one of several signatures', async () => {
  const headers = await signWebhook({ body, secret: [newSecret(2), secret], timestamp: now });
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(event);
  expect(await verifyWebhook({ body, headers, secret: [newSecret(3), secret], now })).toEqual(event);
  await expectReason('no_match', { headers, secret: [newSecret(3), newSecret(4)] });
});

test('verifyWebhook accepts a Headers object, and a plain object with header names in upper case or lists as values', async () => {
  const headers = standardHeaders();
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const form of [new Headers(headers), upperCase, lists]) {
    expect(await verifyWebhook({ body, headers: form, secret, now })).toEqual(event);
  }
});

test.each([
  ['a changed text in the body', { body: body.replace('Café', 'Cafe') }],
  ['a body with additional white space', { body: `${body} ` }],
  ['a changed id', { headers: { ...standardHeaders(), 'webhook-id': 'other' } }],
  ['a changed timestamp', { headers: { ...standardHeaders(), 'webhook-timestamp': seconds(1) } }],
  ['a signature of a different secret', { secret: newSecret(2) }],
  ['headers without a signature of version 1', { headers: { ...standardHeaders(), 'webhook-signature': 'v1a,AAAA' } }],
  ['a signature without its version', { headers: withSignature((signature) => signature.slice(3)) }],
  ['a truncated signature', { headers: withSignature((signature) => signature.slice(0, -2)) }],
  ['a longer signature', { headers: withSignature((signature) => `${signature}A`) }],
])('verifyWebhook rejects with the reason no_match for a webhook with %s', async (_, change) => {
  await expectReason('no_match', change);
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'verifyWebhook refuses a webhook without %s',
  async (name) => {
    const { [name]: _, ...headers } = standardHeaders();
    await expectReason('missing_header', { headers });
    await expectReason('missing_header', { headers: new Headers(headers) });
    await expectReason('missing_header', { headers: { ...headers, [name]: '' } });
  },
);

test.each(['soon', '12.5', '1e9', '-5', ' 17', '0x10', '99999999999999999999'])(
  'verifyWebhook refuses the timestamp "%s" as bad_timestamp',
  async (timestamp) => {
    await expectReason('bad_timestamp', { headers: { ...standardHeaders(), 'webhook-timestamp': timestamp } });
  },
);

test('verifyWebhook accepts a timestamp up to 300 s before or after the current time, and refuses 301 s as too_old', async () => {
  for (const differenceSeconds of [-300, 300]) {
    expect(await verifyWebhook({ body, headers: standardHeaders(differenceSeconds), secret, now })).toEqual(event);
  }
  for (const differenceSeconds of [-301, 301]) {
    await expectReason('too_old', { headers: standardHeaders(differenceSeconds) });
  }
});

test('verifyWebhook uses toleranceSeconds instead of the default of 300 s', async () => {
  const headers = standardHeaders(-10);
  expect(await verifyWebhook({ body, headers, secret, now, toleranceSeconds: 10 })).toEqual(event);
  await expectReason('too_old', { headers, toleranceSeconds: 9 });
});

test('verifyWebhook compares the timestamp with the clock of this machine by default', async () => {
  expect(await verifyWebhook({ body, headers: await signWebhook({ body, secret }), secret })).toEqual(event);
  const old = await signWebhook({ body, secret, timestamp: new Date(Date.now() - 400_000) });
  await expectReason('too_old', { headers: old, now: undefined });
});

test.each([{ type: 'movement.created' }, [1], 7, undefined, null])(
  'verifyWebhook refuses the body %j, which is neither text nor bytes, as not_raw, and explains the remedy',
  async (parsed) => {
    const error = await expectReason('not_raw', { body: parsed as never });
    expect(error.message).toContain('Pass the raw body');
  },
);

test.each(['', 'whsec_', 'whsec_not base64', 'whsec_a', `${secret}\n`, undefined, 7])(
  'verifyWebhook throws a UsageError for the secret %j; the message does not contain the secret',
  async (malformed) => {
    const error = await rejectionOf({ secret: malformed as never });
    expect(isUsageError(error)).toBe(true);
    expect(String(error)).toContain('secret must be `whsec_` followed by base64');
    expect(String(error)).not.toContain(secret.slice('whsec_'.length));
  },
);

test('verifyWebhook throws a UsageError for an empty list of secrets and for a tolerance that is NaN or negative', async () => {
  expect(isUsageError(await rejectionOf({ secret: [] }))).toBe(true);
  expect(isUsageError(await rejectionOf({ toleranceSeconds: Number.NaN }))).toBe(true);
  expect(isUsageError(await rejectionOf({ toleranceSeconds: -1 }))).toBe(true);
});

test('the JSON of a WebhookVerificationError contains the reason, but no secret and no body', async () => {
  const error = await expectReason('no_match', { secret: newSecret(2) });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'WebhookVerificationError',
    message: error.message,
    reason: 'no_match',
  });
});

test('the SDK uses the same header names, prefixes and signed text as the package @centavo/contracts', async () => {
  expect(webhookHeaderNames).toEqual(contracts.webhookHeaderNames);
  const message = { id: 'id', timestamp: '1', body };
  const text = new TextEncoder().encode(contracts.toSignedText(message).slice('id.1.'.length));
  const [signature] = await signaturesOf({ ...message, body: text }, [secret]);
  expect(signature).toBe(new Webhook(secret).sign('id', new Date(1000), body));
  expect(signature?.startsWith(contracts.webhookSignaturePrefix)).toBe(true);
  expect(secret.startsWith(contracts.webhookSecretPrefix)).toBe(true);
});

/** Returns a secret in the format of the server. */
function newSecret(seed: number): string {
  return `whsec_${Buffer.alloc(32, seed).toString('base64')}`;
}

function seconds(offsetSeconds: number): string {
  return String(Math.floor(now.getTime() / 1000) + offsetSeconds);
}

/** Returns the headers of an attempt, signed by standardwebhooks. */
function standardHeaders(offsetSeconds = 0): Record<string, string> {
  const timestamp = seconds(offsetSeconds);
  const signature = new Webhook(secret).sign(event.data.id, new Date(Number(timestamp) * 1000), body);
  return { 'webhook-id': event.data.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

function withSignature(change: (signature: string) => string): Record<string, string> {
  const headers = standardHeaders();
  return { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') };
}

async function rejectionOf(change: Partial<VerifyWebhookOptions>): Promise<unknown> {
  const verified = verifyWebhook({ body, headers: standardHeaders(), secret, now, ...change });
  return verified.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function expectReason(reason: string, change: Partial<VerifyWebhookOptions>) {
  const error = await rejectionOf(change);
  if (!isWebhookVerificationError(error)) throw new Error(`Not a WebhookVerificationError: ${error}`);
  expect(error.reason).toBe(reason);
  return error;
}
