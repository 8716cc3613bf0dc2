import {
  type AuditEvent,
  type FinancialClient,
  isNotFoundError,
  type Movement,
  matchesStateDigest,
} from '@centavo/sdk';

type State = Pick<AuditEvent, 'salt' | 'stateDigest'>;
type Kind = (typeof kinds)[number];
const kinds = ['movement', 'transfer', 'category'] as const;

/** The maximum number of attempts to compare a record with its last event. */
const attemptsMax = 3;

/** The digest of each movement, transfer and category, from its last event. */
export class LastStates {
  readonly #states: Readonly<Record<Kind, Map<string, State>>> = {
    movement: new Map(),
    transfer: new Map(),
    category: new Map(),
  };

  add({ resource, salt, stateDigest }: AuditEvent): void {
    const kind = kinds.find((name) => name === resource.type);
    if (kind !== undefined) this.#states[kind].set(resource.id, { salt, stateDigest });
  }

  /** Returns and removes the digest of a record; undefined if there is none. */
  take(kind: Kind, id: string): State | undefined {
    const state = this.#states[kind].get(id);
    this.#states[kind].delete(id);
    return state;
  }

  /** Returns the records whose digest `take` has not removed. */
  rest(): readonly (readonly [Kind, string])[] {
    return kinds.flatMap((kind) => [...this.#states[kind].keys()].map((id) => [kind, id] as const));
  }
}

/** Returns a message for each record that has events but does not exist, or whose state differs from its last event. */
export async function compareRecords(client: FinancialClient, states: LastStates): Promise<readonly string[]> {
  const faults: string[] = [];
  const compare = async (kind: Kind, id: string, record: object) => {
    const state = states.take(kind, id);
    // The result is null if the event has no digest. Such a record cannot be compared.
    if (state === undefined || (await matchesStateDigest(record, state)) !== false) return;
    if (!(await matchesNow(client, kind, id))) faults.push(`The ${kind} ${id} differs from its last event.`);
  };
  const groups = new Set<string>();
  for await (const movement of client.movements.list({ includeVoided: true, limit: 200 })) {
    const groupId = groupOf(movement);
    if (groupId === null) await compare('movement', movement.id, movement);
    else groups.add(groupId);
  }
  for (const groupId of groups) await compare('transfer', groupId, await client.transfers.get(groupId));
  for await (const category of client.categories.list()) await compare('category', category.id, category);
  for (const [kind, id] of states.rest()) {
    if (!(await matchesNow(client, kind, id)))
      faults.push(`The ${kind} ${id} does not exist, or differs from its last event.`);
  }
  return faults;
}

function groupOf({ transferGroupId }: Movement): string | null {
  return transferGroupId;
}

/**
 * Returns whether a record matches its last event. After a mismatch, reads both again: another request may have changed the
 * record between the two reads.
 */
async function matchesNow(client: FinancialClient, kind: Kind, id: string): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const record = await readRecord(client, kind, id);
    const { data } = await client.auditEvents.list({ resourceType: kind, resourceId: id, limit: 1 });
    const [event] = data;
    if (event === undefined) return false;
    if (record !== undefined && (await matchesStateDigest(record, event)) !== false) return true;
  }
  return false;
}

async function readRecord(client: FinancialClient, kind: Kind, id: string): Promise<object | undefined> {
  const read = { movement: client.movements, transfer: client.transfers, category: client.categories }[kind];
  try {
    return await read.get(id);
  } catch (error) {
    if (isNotFoundError(error)) return undefined;
    throw error;
  }
}
