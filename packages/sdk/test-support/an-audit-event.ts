import { createHash } from 'node:crypto';
import { eventLeaf, genesisText } from '@centavo/contracts/calls';
import * as testing from '../src/testing/index.js';

const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const previousHash = sha256(genesisText(testing.sharedTrackerId));
const covered = {
  sequence: 1,
  id: testing.anId(),
  type: 'account.created',
  occurredAt: testing.sharedMoment,
  resource: { type: 'account', id: testing.anId() },
  userId: testing.sharedUserId,
  credentialId: null,
  requestId: testing.anId(),
  changeDigest: null,
  stateDigest: null,
};

/** The first event of the tracker in the examples, with the hash that the server would compute. */
export const anAuditEvent = {
  ...covered,
  actor: { type: 'user', id: testing.sharedUserId },
  change: null,
  salt: null,
  previousHash: previousHash.toString('hex'),
  hash: sha256(previousHash, eventLeaf(covered, testing.sharedTrackerId)).toString('hex'),
};

/** The audit head of the same tracker: the position and the hash of its last event. */
export const anAuditHead = {
  sequence: 1,
  hash: anAuditEvent.hash,
  occurredAt: anAuditEvent.occurredAt,
  floorSequence: 0,
  floorHash: anAuditEvent.previousHash,
};
