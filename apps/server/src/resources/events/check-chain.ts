import { createHash } from 'node:crypto';
import { type ChainFault, type ChainPosition, findChainFault, genesisOf, saltedDigest } from '@centavo/contracts';
import type { Transaction } from '../../database/transaction.js';
import {
  findLostRecords,
  type RecordKind,
  type RecordState,
  readRecordStates,
  recordKinds,
} from './record-states.queries.js';
import {
  findRepeatedEvents,
  listStoredHeads,
  type PendingState,
  readEarlierVersionEnds,
  readPendingStates,
  readStoredEvents,
  type StoredHead,
} from './stored-chain.queries.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The maximum number of rows that one statement reads. */
const pageSize = 2_000;

/** The counts that {@link checkChain} returns. */
export interface ChainChecked {
  readonly trackerCount: number;
  readonly eventCount: number;
  readonly recordCount: number;
  readonly contradictionCount: number;
  /** Number of records that cannot be compared, because their last event has no state digest or was redacted. */
  readonly incomparableCount: number;
}

/**
 * Recomputes the hash chain of every tracker, and compares every record with the state digest of its last event. It also reports each event
 * that occurs more than once, and each record that does not exist although an event recorded its state. If retention removed no event of a
 * tracker, it also reports the records of this tracker that should have an event but have none. It reads numbered events and records in
 * pages, so the memory use does not grow with their number.
 * @param tx a transaction whose statements read one snapshot, with a role that reads all trackers
 * @param report receives one sentence for each contradiction
 * @source docs/additions.md, section 4.3
 */
export async function checkChain(tx: Transaction, report: (contradiction: string) => void): Promise<ChainChecked> {
  let contradictionCount = 0;
  const count = (contradiction: string) => {
    contradictionCount += 1;
    report(contradiction);
  };
  const chains = await checkChains(tx, count);
  for (const { id, trackerId, count: times } of await findRepeatedEvents(tx)) {
    count(`Tracker ${trackerId}, event ${id}: it occurs ${times} times.`);
  }
  const records = await checkRecords(tx, count, chains.shortened);
  return { ...records, trackerCount: chains.trackerCount, eventCount: chains.eventCount, contradictionCount };
}

type Report = (contradiction: string) => void;

async function checkChains(tx: Transaction, report: Report) {
  const shortened = new Set<string>();
  let [trackerCount, eventCount] = [0, 0];
  for (let after: string | undefined; ; ) {
    const heads = await listStoredHeads(tx, { after, limit: pageSize });
    for (const head of heads) {
      trackerCount += 1;
      if (head.sequence === null) {
        report(`Tracker ${head.trackerId}: it has events, but no head.`);
        continue;
      }
      if (head.floorSequence > 0) shortened.add(head.trackerId);
      eventCount += await checkChainOf(tx, head, report);
    }
    if (heads.length < pageSize) return { trackerCount, eventCount, shortened };
    after = heads.at(-1)?.trackerId;
  }
}

const faultTexts: Readonly<Record<ChainFault, string>> = {
  sequence: 'its number is not the next one',
  hash: 'its hash does not match its fields and the previous event',
  change: 'its change does not match its digest',
};

/**
 * Reports the faults in the hash chain of a tracker, and returns the number of events in the chain. Checks each event against the stored
 * hash of the event before it, so that one changed event is not reported again at every later event.
 */
async function checkChainOf(tx: Transaction, head: StoredHead, report: Report): Promise<number> {
  const { trackerId, floorSequence, floorHash } = head;
  const floor = { sequence: floorSequence, hash: floorHash };
  const genesis = await genesisOf(trackerId, sha256);
  if (floorSequence === 0 && floorHash !== genesis.hash)
    report(`Tracker ${trackerId}: the beginning of its chain is wrong.`);
  let position: ChainPosition = floor;
  let count = 0;
  for (let after = -1; ; ) {
    const events = await readStoredEvents(tx, { trackerId, after, limit: pageSize });
    for (const event of events) {
      const fault = await findChainFault(position, event, { trackerId, sha256 });
      if (fault !== null) report(`Tracker ${trackerId}, event ${event.sequence} (${event.id}): ${faultTexts[fault]}.`);
      position = event;
    }
    count += events.length;
    if (events.length < pageSize) break;
    after = position.sequence;
  }
  if (position.sequence !== head.sequence) {
    report(`Tracker ${trackerId}: its last event is ${position.sequence}, but its head is ${head.sequence}.`);
  } else if (position.hash !== head.hash) {
    report(`Tracker ${trackerId}: the hash of its head differs from the hash of its last event, ${head.sequence}.`);
  }
  return count;
}

async function checkRecords(tx: Transaction, report: Report, shortened: ReadonlySet<string>) {
  const pending = new Map((await readPendingStates(tx)).map((state) => [keyOf(state), state]));
  const earlierVersionEnds = await readEarlierVersionEnds(tx);
  let [recordCount, incomparableCount] = [0, 0];
  for (const kind of recordKinds) {
    const { resourceType } = kind;
    for (let after: RecordState | undefined; ; ) {
      const records = await readRecordStates(tx, kind, { after, limit: pageSize });
      for (const record of records) {
        recordCount += 1;
        const { trackerId, id } = record;
        const name = `Tracker ${trackerId}, ${resourceType} ${id}`;
        const pendingState = pending.get(keyOf({ trackerId, resourceType, resourceId: id }));
        pending.delete(keyOf({ trackerId, resourceType, resourceId: id }));
        const { salt, stateDigest } = pendingState ?? record;
        if (pendingState === undefined && !record.hasEvent) {
          const isExpected = needsNoEvent(kind, record, earlierVersionEnds) || shortened.has(trackerId);
          if (!isExpected) report(`${name}: it has no event.`);
        } else if (salt === null || stateDigest === null) {
          incomparableCount += 1;
        } else if (record.state === null || (await saltedDigest(salt, record.state, sha256)) !== stateDigest) {
          report(`${name}: it differs from its state after its last event.`);
        }
      }
      after = records.at(-1);
      if (records.length < pageSize) break;
    }
    for (const { trackerId, id, sequence } of await findLostRecords(tx, kind)) {
      report(
        `Tracker ${trackerId}, ${resourceType} ${id}: event ${sequence} recorded its state, but the record does not exist.`,
      );
    }
  }
  const withState = new Set(recordKinds.map(({ resourceType }) => resourceType));
  for (const { trackerId, resourceType, resourceId, stateDigest } of pending.values()) {
    if (!withState.has(resourceType) || stateDigest === null) continue;
    report(
      `Tracker ${trackerId}, ${resourceType} ${resourceId}: a pending event recorded its state, but the record does not exist.`,
    );
  }
  return { recordCount, incomparableCount };
}

function keyOf(state: Pick<PendingState, 'trackerId' | 'resourceType' | 'resourceId'>): string {
  return `${state.trackerId} ${state.resourceType} ${state.resourceId}`;
}

/** Returns true for a record that needs no event: a tracker, or a cashbox or budget line from an earlier version of the server. */
function needsNoEvent(
  { isRecorded, resourceType }: RecordKind,
  { trackerId, createdAt }: RecordState,
  earlierVersionEnds: ReadonlyMap<string, string>,
): boolean {
  if (!isRecorded) return true;
  const end = earlierVersionEnds.get(trackerId);
  return (resourceType === 'cashbox' || resourceType === 'budget_line') && end !== undefined && createdAt <= end;
}
