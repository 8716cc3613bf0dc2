import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import vector from '../../test-vectors/chain-v1.json' with { type: 'json' };
import {
  type ChainedEvent,
  type ChainPosition,
  chainHash,
  eventLeaf,
  findChainFault,
  genesisOf,
  saltedDigest,
} from './chain.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const context = { trackerId: vector.trackerId, sha256 };
const [created, corrected, disabled] = vector.events as readonly ChainedEvent[] as [
  ChainedEvent,
  ChainedEvent,
  ChainedEvent,
];

test('eventLeaf and chainHash return the leaves and hashes of the test vector, which was computed with Python', async () => {
  let position: ChainPosition = await genesisOf(vector.trackerId, sha256);
  expect(position).toEqual({ sequence: 0, hash: vector.genesisHash });
  for (const event of vector.events) {
    expect(eventLeaf(event, vector.trackerId)).toBe(event.leaf);
    expect(await chainHash(position.hash, event, context)).toBe(event.hash);
    expect(await findChainFault(position, event, context)).toBeNull();
    position = event;
  }
});

test('saltedDigest returns the digests of the test vector for each change and each state', async () => {
  for (const { salt, change, state, changeDigest, stateDigest } of vector.events) {
    expect(change === null ? null : await saltedDigest(salt, change, sha256)).toBe(changeDigest);
    expect(state === null ? null : await saltedDigest(salt, state, sha256)).toBe(stateDigest);
  }
});

const edits: Readonly<Record<string, Partial<ChainedEvent>>> = {
  id: { id: disabled.id },
  type: { type: 'movement.created' },
  occurredAt: { occurredAt: '2026-01-31T09:16:00.001Z' },
  'resource type': { resource: { type: 'account', id: corrected.resource.id } },
  'resource id': { resource: { type: 'movement', id: disabled.id } },
  user: { userId: disabled.id },
  credential: { credentialId: null },
  requestId: { requestId: created.requestId },
  changeDigest: { changeDigest: null },
  stateDigest: { stateDigest: created.stateDigest },
  hash: { hash: created.hash },
};

test.each(Object.entries(edits))('findChainFault reports an event whose %s was replaced', async (_, edit) => {
  expect(await findChainFault(created, { ...corrected, ...edit }, context)).toBe('hash');
});

test('findChainFault reports a missing, a repeated and a moved event', async () => {
  expect(await findChainFault(created, disabled, context)).toBe('sequence');
  expect(await findChainFault(corrected, corrected, context)).toBe('sequence');
  expect(await findChainFault(created, { ...disabled, sequence: 2 }, context)).toBe('hash');
});

test('findChainFault reports a replaced, added or removed change, and a replaced or removed salt', async () => {
  const change = { amountDecimal: ['12.50', '14.00'] };
  for (const edit of [{ change }, { change: null }, { salt: null }, { salt: created.salt }]) {
    expect(await findChainFault(created, { ...corrected, ...edit }, context)).toBe('change');
  }
  const genesis = await genesisOf(vector.trackerId, sha256);
  expect(await findChainFault(genesis, { ...created, change }, context)).toBe('change');
  expect(await findChainFault(genesis, { ...created, change, salt: null }, context)).toBe('change');
});

test('findChainFault accepts an event whose change and salt were erased', async () => {
  expect(await findChainFault(created, { ...corrected, change: null, salt: null }, context)).toBeNull();
  expect(await findChainFault(corrected, { ...disabled, salt: null }, context)).toBeNull();
});

test('findChainFault accepts an event that is older than the hash chain and has a change but no digests', async () => {
  const change = { name: ['Old', 'New'] };
  const old = { ...disabled, change, salt: null };
  expect(await findChainFault(corrected, old, context)).toBeNull();
});
