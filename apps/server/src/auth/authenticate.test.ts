import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import { findSessionCheck, UnknownUser, withNewUser } from './authenticate.js';
import type { PresentedCredential } from './credentials.js';
import type { IdentityProvider } from './principal.js';

const claims = { issuer: 'https://id.example.org', subject: 'ana', sessionId: 'one', totpAtSeconds: null };
const session: PresentedCredential = { token: { kind: 'jwt', token: 'the.token.itself' }, claims, callerKey: 'ana' };
const secret: PresentedCredential = {
  token: { kind: 'secret', sha256: Buffer.alloc(32) },
  claims: null,
  callerKey: 'key',
};
const verifyAccessToken = async () => claims;

/** Returns a fake external issuer that records the added users and the introspected tokens. */
function newIssuer() {
  const added: unknown[] = [];
  const introspected: string[] = [];
  const identity: IdentityProvider = {
    storesSessions: false,
    verifyAccessToken,
    requireActiveSession: async ({ token }) => {
      introspected.push(token);
    },
    addUser: async (user) => {
      added.push(user);
    },
  };
  return { added, introspected, identity };
}

test('withNewUser adds an unknown user and retries the request', async () => {
  const { added, identity } = newIssuer();
  const result = await withNewUser(identity, async () => {
    if (added.length === 0) throw new UnknownUser(claims);
    return 'done';
  });
  expect([result, added]).toEqual(['done', [claims]]);
});

test('withNewUser throws 401 CREDENTIAL_INVALID when the user is still unknown after being added, and adds the user only once', async () => {
  const { added, identity } = newIssuer();
  const attempt = () => Promise.reject(new UnknownUser(claims));
  await expect(withNewUser(identity, attempt)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID', status: 401 });
  expect(added).toHaveLength(1);
});

test('withNewUser rethrows an error other than UnknownUser, and adds no user', async () => {
  const { added, identity } = newIssuer();
  await expect(withNewUser(identity, () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
  expect(added).toEqual([]);
});

// @proves contract 8: Recent TOTP
test('findSessionCheck, for a request without a body, introspects the session only if the operation creates a credential or webhook, or rotates a secret', async () => {
  const checked: string[] = [];
  for (const call of Object.values(calls)) {
    const { introspected, identity } = newIssuer();
    await findSessionCheck({ identity, credential: session, call, body: undefined })?.();
    if (introspected.length > 0) checked.push(call.name);
  }
  expect(checked.sort()).toEqual([
    'createApiKey',
    'createIntegrationClient',
    'createWebhook',
    'rotateApiKey',
    'rotateWebhookSecret',
  ]);
});

test('findSessionCheck introspects the session at the issuer when a webhook gets a new URL, and not when only its status changes', async () => {
  const { introspected, identity } = newIssuer();
  const check = (body: object) => findSessionCheck({ identity, credential: session, call: calls.updateWebhook, body });
  expect(check({ status: 'paused' })).toBeUndefined();
  await check({ url: 'https://hooks.example.org' })?.();
  expect(introspected).toHaveLength(1);
});

test('findSessionCheck returns no check for an API key or integration client, or for a session of the embedded identity provider', () => {
  const { identity } = newIssuer();
  expect(findSessionCheck({ identity, credential: secret, call: calls.createApiKey, body: {} })).toBeUndefined();
  const embedded: IdentityProvider = { storesSessions: true, verifyAccessToken };
  expect(
    findSessionCheck({ identity: embedded, credential: session, call: calls.createApiKey, body: {} }),
  ).toBeUndefined();
});
