import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ChainedEvent, isAuditChainError, matchesStateDigest, verifyAuditChain } from '../index.js';

const vector = JSON.parse(
  readFileSync(new URL('../../../contracts/test-vectors/chain-v1.json', import.meta.url), 'utf8'),
) as {
  readonly trackerId: string;
  readonly events: readonly (ChainedEvent & { readonly state: object | null })[];
};
const { trackerId, events } = vector;
const [created, corrected, disabled] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]];

async function* asPages(rows: readonly ChainedEvent[]) {
  yield* rows;
}

test('verifyAuditChain verifies the events of the test vector with WebCrypto, from the beginning or from a stored position', async () => {
  const head = { sequence: 3, hash: disabled.hash };
  expect(await verifyAuditChain(asPages(events), { trackerId })).toEqual(head);
  expect(await verifyAuditChain([disabled], { trackerId, from: corrected })).toEqual(head);
  expect(await verifyAuditChain([], { trackerId, from: head })).toEqual(head);
});

test.each([
  ['was changed', [created, { ...corrected, type: 'movement.voided' }, disabled], { sequence: 2, reason: 'hash' }],
  ['has a replaced `change`', [created, { ...corrected, change: {} }, disabled], { sequence: 2, reason: 'change' }],
  ['is missing', [created, disabled], { sequence: 3, reason: 'sequence' }],
])('verifyAuditChain rejects with the position and the reason when an event %s', async (_, changed, fault) => {
  const error = await verifyAuditChain(changed, { trackerId }).catch((reason: unknown) => reason);
  expect(isAuditChainError(error) && error.toJSON()).toMatchObject({ name: 'AuditChainError', ...fault });
});

test('verifyAuditChain rejects a starting position that is not on the chain', async () => {
  const from = { sequence: 2, hash: created.hash };
  await expect(verifyAuditChain([disabled], { trackerId, from })).rejects.toThrow('Event 3');
});

test('verifyAuditChain accepts redacted events', async () => {
  const redacted = events.map((event) => ({ ...event, change: null, salt: null }));
  expect(await verifyAuditChain(redacted, { trackerId })).toMatchObject({ sequence: 3 });
});

test('matchesStateDigest compares a record with the state after an event, and returns null if the event has no state digest', async () => {
  const record = corrected.state ?? {};
  expect(await matchesStateDigest(record, corrected)).toBe(true);
  expect(await matchesStateDigest({ ...record, amountDecimal: '13.01' }, corrected)).toBe(false);
  expect(await matchesStateDigest(record, disabled)).toBeNull();
});
