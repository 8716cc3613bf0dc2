import { expect, test } from 'vitest';
import { decideSessionState } from './introspection.js';

const claims = { issuer: 'https://id.example.org', subject: 'ana', sessionId: 'one' };

test.each([
  [{ active: true }, 'active'],
  [{ active: true, sub: 'ana', iss: 'https://id.example.org', sid: 'one' }, 'active'],
  [{ active: true, session_id: 'one', sid: 'an inner one' }, 'active'],
  [{ active: false }, 'inactive'],
  [{ active: false, sub: 'ana' }, 'inactive'],
  [{ active: true, sub: 'eve' }, 'inactive'],
  [{ active: true, sub: null }, 'inactive'],
  [{ active: true, iss: 'https://elsewhere.example' }, 'inactive'],
  [{ active: true, sid: 'two' }, 'inactive'],
  [{ active: 'true' }, 'unclear'],
  [{ active: 1 }, 'unclear'],
  [{}, 'unclear'],
  [{ error: 'invalid_client' }, 'unclear'],
  [[], 'unclear'],
  [null, 'unclear'],
  ['active', 'unclear'],
])('decideSessionState maps %j to the state %s', (response, state) => {
  expect(decideSessionState(response, claims)).toBe(state);
});
