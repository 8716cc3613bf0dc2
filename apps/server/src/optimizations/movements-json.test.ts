import type { Movement } from '@centavo/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMovementsJson } from './movements-json.js';

const id = fc.uuid();
const moment = fc
  .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** Null, or an arbitrary string. It may be empty, or contain quotes, backslashes, control characters or lone surrogates. */
const text = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), fc.string()));

const movement: fc.Arbitrary<Movement> = fc.record({
  id,
  trackerId: id,
  type: fc.constantFrom('expense', 'income'),
  kind: fc.constantFrom('regular', 'transfer'),
  amountDecimal: fc.nat().map((cents) => (cents / 100).toFixed(2)),
  currencyCode: fc.constantFrom('EUR', 'JPY'),
  accountId: id,
  cashboxId: id,
  categoryId: text,
  occurredOn: moment.map((at) => at.slice(0, 10)),
  description: text,
  merchantName: text,
  transferGroupId: fc.option(id),
  externalId: text,
  source: fc.record({ type: fc.constantFrom('user', 'integration_client'), id }),
  version: fc.nat(),
  voidedAt: fc.option(moment),
  createdAt: moment,
  updatedAt: moment,
});

test('toMovementsJson returns the same text as JSON.stringify, for any movements', () => {
  fc.assert(
    fc.property(fc.array(movement), (movements) => {
      expect(toMovementsJson(movements)).toBe(JSON.stringify(movements));
    }),
    { numRuns: 500 },
  );
});

test.each(['"', '\\', '\n', '\u007f', '\u2028', '\ud800', 'é', '😀', '</script>'])(
  'toMovementsJson writes %j so that JSON.parse returns it',
  (written) => {
    const [sample] = fc.sample(movement, 1);
    const movements = [{ ...sample, description: written, merchantName: written }] as Movement[];
    expect(JSON.parse(toMovementsJson(movements))).toEqual(movements);
  },
);
