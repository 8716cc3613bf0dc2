import { expect, test } from 'vitest';
import type { IdentityProvider } from './identity-provider.js';
import { UnknownUser, withNewUser } from './with-new-user.js';

const claims = { issuer: 'https://id.example.org', subject: 'ana', sessionId: 'one', totpAtSeconds: null };

function newIssuer() {
  const added: unknown[] = [];
  const identity: IdentityProvider = {
    keepsSessions: false,
    verifyAccessToken: async () => claims,
    requireActiveSession: async () => {},
    addUser: async (user) => {
      added.push(user);
    },
  };
  return { added, identity };
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
