import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import type { Presented } from './authenticate.js';
import { findSessionCheck } from './find-session-check.js';
import type { IdentityProvider } from './identity-provider.js';

const claims = { issuer: 'https://id.example.org', subject: 'ana', sessionId: 'one', totpAtSeconds: null };
const session: Presented = { token: { kind: 'jwt', token: 'the.token.itself' }, claims, fingerprint: 'ana' };
const secret: Presented = { token: { kind: 'secret', sha256: Buffer.alloc(32) }, claims: null, fingerprint: 'key' };
const verifyAccessToken = async () => claims;

function newIssuer() {
  const asked: string[] = [];
  const identity: IdentityProvider = {
    keepsSessions: false,
    verifyAccessToken,
    requireActiveSession: async ({ token }) => {
      asked.push(token);
    },
    addUser: async () => {},
  };
  return { asked, identity };
}

test('of all calls, the issuer is asked at those that make a secret', async () => {
  const asking: string[] = [];
  for (const call of Object.values(calls)) {
    const { asked, identity } = newIssuer();
    await findSessionCheck({ identity, presented: session, call })?.();
    if (asked.length > 0) asking.push(call.name);
  }
  expect(asking.sort()).toEqual(['createApiKey', 'createIntegrationClient', 'rotateApiKey']);
});

test('a secret has no session to ask for, and where sessions are kept here nobody else is asked', () => {
  const { identity } = newIssuer();
  expect(findSessionCheck({ identity, presented: secret, call: calls.createApiKey })).toBeUndefined();
  const embedded: IdentityProvider = { keepsSessions: true, verifyAccessToken };
  expect(findSessionCheck({ identity: embedded, presented: session, call: calls.createApiKey })).toBeUndefined();
});
