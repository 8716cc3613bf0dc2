import { type CallContract, calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import { choosePolicy } from './choose-policy.js';

test('what makes, rotates or revokes a credential is admin, other GETs are reads, all else is writes', () => {
  const namesBy = (policy: string) =>
    (Object.values(calls) as readonly CallContract[])
      .filter((call) => choosePolicy(call) === policy)
      .map(({ name }) => name);
  expect(namesBy('admin').sort()).toEqual([
    'createApiKey',
    'createIntegrationClient',
    'revokeApiKey',
    'revokeIntegrationClient',
    'rotateApiKey',
  ]);
  expect(namesBy('reads')).toContain('listApiKeys');
  expect(namesBy('reads')).toContain('getMe');
  expect(namesBy('writes')).toContain('verifyTotp');
  expect(namesBy('writes')).toContain('setActiveTracker');
});
