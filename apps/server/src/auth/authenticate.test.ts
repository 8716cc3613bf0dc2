import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import { findSessionCheck, UnknownUser, withNewUser } from './authenticate.js';
import type { PresentedCredential } from './credentials.js';
import type { IdentityProvider } from './principal.js';

const claims = { issuer: 'https://id.example.org', subject: 'ana', sessionId: 'one', totpAtSeconds: null };
const session: PresentedCredential = { token: { kind: 'jwt', token: 'the.token.itself' }, claims, fingerprint: 'ana' };
const secret: PresentedCredential = {
  token: { kind: 'secret', sha256: Buffer.alloc(32) },
  claims: null,
  fingerprint: 'key',
};
const verifyAccessToken = async () => claims;

/** An external issuer that records the users it is given and the tokens it is asked about. */
function newIssuer() {
  const added: unknown[] = [];
  const asked: string[] = [];
  const identity: IdentityProvider = {
    keepsSessions: false,
    verifyAccessToken,
    requireActiveSession: async ({ token }) => {
      asked.push(token);
    },
    addUser: async (user) => {
      added.push(user);
    },
  };
  return { added, asked, identity };
}

test('a user whom nobody knows is added, and the request entered again', async () => {
  const { added, identity } = newIssuer();
  const entered = await withNewUser(identity, async () => {
    if (added.length === 0) throw new UnknownUser(claims);
    return 'entered';
  });
  expect([entered, added]).toEqual(['entered', [claims]]);
});

test('who is not there after being added is refused, not added for ever', async () => {
  const { added, identity } = newIssuer();
  const attempt = () => Promise.reject(new UnknownUser(claims));
  await expect(withNewUser(identity, attempt)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID', status: 401 });
  expect(added).toHaveLength(1);
});

test('any other failure is none of its business', async () => {
  const { added, identity } = newIssuer();
  await expect(withNewUser(identity, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(added).toEqual([]);
});

test('of all calls, the issuer is asked at those that make a secret', async () => {
  const asking: string[] = [];
  for (const call of Object.values(calls)) {
    const { asked, identity } = newIssuer();
    await findSessionCheck({ identity, credential: session, call })?.();
    if (asked.length > 0) asking.push(call.name);
  }
  expect(asking.sort()).toEqual(['createApiKey', 'createIntegrationClient', 'rotateApiKey']);
});

test('a secret has no session to ask for, and where sessions are kept here nobody else is asked', () => {
  const { identity } = newIssuer();
  expect(findSessionCheck({ identity, credential: secret, call: calls.createApiKey })).toBeUndefined();
  const embedded: IdentityProvider = { keepsSessions: true, verifyAccessToken };
  expect(findSessionCheck({ identity: embedded, credential: session, call: calls.createApiKey })).toBeUndefined();
});
