import { randomBytes } from 'node:crypto';
import type { EffectiveTracker, Principal } from '../auth/principal.js';
import { StaleRead, violatedConstraint } from '../database/errors.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { type Effect, recordAudit } from './audit.queries.js';
import { digestsOf } from './event-digests.js';
import { recordKeyedWrite } from './idempotency.queries.js';
import { isTrackerExplicit } from './replay.js';

/** The response of a write with an idempotency key. */
export interface KeyedAnswer {
  readonly idempotencyKey: string;
  readonly fingerprint: Buffer;
  readonly callName: string;
  readonly etag: string | null;
  readonly data: unknown;
}

/** The audit effects and the responses to record for a write of several records. */
export interface ItemRecords {
  readonly tracker: EffectiveTracker;
  /** The audit effects, in the order of the items. */
  readonly effects: readonly Effect[];
  /** The responses of the items: one for each effect if the items have their own keys, otherwise none. */
  readonly answers: readonly KeyedAnswer[];
  /** The records in the result that come from earlier (replayed) responses. */
  readonly replayed: ReadonlySet<unknown>;
}

/** The records of a request, with its caller and its ID. If the request itself has a key, its response is the only element of `answers`. */
interface RequestRecords extends ItemRecords {
  readonly principal: Principal;
  readonly requestId: string;
  readonly newId: () => string;
}

/**
 * Inserts the audit events of all items, in the order of the items, and the rows of the idempotency keys with their responses, in one
 * statement. The changes and all these rows are committed together.
 * @throws StaleRead when another request has recorded one of the keys; the caller retries the transaction
 * @source docs/additions.md, section 1.2
 */
export async function recordItems(tx: Transaction, records: RequestRecords): Promise<void> {
  const { tracker, effects, answers, principal, requestId, newId } = records;
  // One call of randomBytes generates all salts, because each call is expensive, whatever the number of bytes.
  const salts = randomBytes(16 * effects.length);
  await query(
    tx,
    `with audited as (
       insert into app.audit_events
         (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id, salt, change_digest,
           state_digest)
       select cast(:trackerId as uuid), e.id, cast(:userId as uuid), cast(:credentialId as uuid), e.action, e.resource_type,
         e.resource_id, e.change, cast(:requestId as uuid), decode(e.salt, 'hex'), decode(e.change_digest, 'hex'),
         decode(e.state_digest, 'hex')
       from json_to_recordset(cast(:effects as json)) as e (position integer, id uuid, action text, resource_type text,
         resource_id text, change jsonb, salt text, change_digest text, state_digest text)
       order by e.position
     )
     insert into app.idempotency_keys
       (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, etag, data, request_id)
     select cast(:trackerId as uuid), :root, a.key, :trackerExplicit, decode(a.fingerprint, 'hex'), a.call_name, a.etag, a.data,
       cast(:requestId as uuid)
     from json_to_recordset(cast(:answers as json)) as a (key text, fingerprint text, call_name text, etag text, data json)`,
    {
      trackerId: tracker.id,
      userId: principal.userId,
      credentialId: principal.credentialId,
      requestId,
      effects: JSON.stringify(
        effects.map((effect, position) => {
          const { salt, changeDigest, stateDigest } = digestsOf(
            effect,
            salts.subarray(16 * position, 16 * (position + 1)),
          );
          return {
            position,
            id: newId(),
            action: effect.action,
            resource_type: effect.resourceType,
            resource_id: effect.resourceId,
            change: effect.change ?? null,
            salt: salt.toString('hex'),
            change_digest: changeDigest?.toString('hex') ?? null,
            state_digest: stateDigest?.toString('hex') ?? null,
          };
        }),
      ),
      root: principal.root,
      trackerExplicit: isTrackerExplicit(tracker),
      answers: JSON.stringify(
        answers.map(({ idempotencyKey, fingerprint, callName, etag, data }) => ({
          key: idempotencyKey,
          fingerprint: fingerprint.toString('hex'),
          call_name: callName,
          etag,
          data,
        })),
      ),
    },
  ).catch((error: unknown) => {
    // A request records only keys whose locks it holds. Therefore two requests can insert the same key only if a server of an earlier
    // version handles one of them: such a server does not always take the lock.
    if (violatedConstraint(error) === 'idempotency_keys_pkey') throw new StaleRead();
    throw error;
  });
}

/**
 * Does the same as {@link recordItems} in a database that Citus distributes, with one statement for each event. For INSERT … SELECT,
 * Citus would send the rows to their node with COPY, which PostgreSQL refuses for tables with row-level security.
 */
export async function recordEachItem(tx: Transaction, records: RequestRecords): Promise<void> {
  const { effects, answers, principal, tracker, requestId, newId } = records;
  const statements = effects.map((effect, index) => {
    const answer = answers[index];
    if (answer === undefined) return recordAudit(tx, { id: newId(), effect, principal, requestId });
    return recordKeyedWrite(tx, { ...answer, auditId: newId(), effect, principal, tracker, requestId });
  });
  await Promise.all(statements);
}
