import { expect, test } from 'vitest';
import { matchTotpStep } from './totp.rules.js';

// RFC 6238, appendix B: the seed "12345678901234567890" gives 94287082 at 59 s, of which six digits are shown.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const code = '287082';
const at = (seconds: number) => matchTotpStep({ secret, code, now: new Date(seconds * 1000) });

test('the vector of RFC 6238 is the code of its step', async () => {
  expect(await at(59)).toBe(1);
  expect(await at(59.999)).toBe(1);
});

test('a clock may be one step ahead or behind, not two', async () => {
  expect(await at(0)).toBe(1);
  expect(await at(29)).toBe(1);
  expect(await at(60)).toBe(1);
  expect(await at(89)).toBe(1);
  expect(await at(90)).toBeNull();
  expect(await at(120)).toBeNull();
});
