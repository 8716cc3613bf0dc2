import { query } from '../../database/query.js';
import type { ContextValue } from '../../database/statement.js';
import type { SendOptions, Transaction } from '../../database/transaction.js';
import type { StoredTrackers } from './context.rules.js';
import type { SharedTrackerRow, TrackerRow } from './context.view.js';

/** The name of a stored tracker choice: the active tracker or the default tracker. */
export type TrackerChoice = 'active' | 'default';

const columnOf = { active: 'active_tracker_id', default: 'default_tracker_id' } as const;

/**
 * Stores the active or default tracker that the caller chose. Stores it in the row of the credential if the request was authenticated with
 * an API key or another secret, otherwise in the row of the user.
 * @returns both stored choices after the update
 * @source docs/contract.md, section 2
 */
export async function storeTrackerChoice(
  tx: Transaction,
  choice: {
    readonly userId: string;
    readonly credentialId: string | null;
    readonly choice: TrackerChoice;
    readonly trackerId: string;
  },
): Promise<StoredTrackers> {
  const { userId, credentialId, trackerId } = choice;
  const table = credentialId === null ? 'app.users' : 'app.credentials';
  const [row] = await query<StoredTrackers>(
    tx,
    `update ${table} set ${columnOf[choice.choice]} = :trackerId where id = :id
     returning active_tracker_id as "activeTrackerId", default_tracker_id as "defaultTrackerId"`,
    { trackerId, id: credentialId ?? userId },
  );
  if (row === undefined) throw new Error('The user or credential of an authenticated request does not exist');
  return row;
}

/** The fields of a new tracker. */
export interface NewTracker {
  readonly id: string;
  readonly name: string;
  readonly currencyCode: string;
  readonly timeZone: string;
}

/**
 * The user for whom trackers are read, and the credential of the request, if any. The role in a tracker row is the user's. `is_active`
 * and `is_default` come from the choices that are stored on the credential or, without a credential, on the user.
 */
interface Caller {
  readonly userId: string;
  readonly credentialId: string | null;
}

const trackersOfCaller = `select t.id, t.name, m.role, t.currency_code, t.time_zone, t.created_at, t.updated_at,
    t.id is not distinct from chosen.active_tracker_id as is_active,
    t.id is not distinct from chosen.default_tracker_id as is_default
  from app.trackers t
  join app.members m on m.tracker_id = t.id and m.user_id = :userId
  join (
    select active_tracker_id, default_tracker_id from app.users
    where id = :userId and cast(:credentialId as uuid) is null
    union all
    select active_tracker_id, default_tracker_id from app.credentials where id = cast(:credentialId as uuid)
  ) chosen on true`;

/** Lists the user's trackers among `trackerIds`, the oldest first. */
export async function listTrackers(
  tx: Transaction,
  selection: Caller & { readonly trackerIds: readonly string[] },
): Promise<TrackerRow[]> {
  return query<TrackerRow>(
    tx,
    `${trackersOfCaller} where t.id = any (cast(:trackerIds as uuid[])) order by t.created_at, t.id`,
    { ...selection },
  );
}

/** Finds a tracker, without the fields that differ between its members. */
export async function findSharedTracker(
  tx: Transaction,
  trackerId: string | ContextValue,
  options: SendOptions = {},
): Promise<SharedTrackerRow | undefined> {
  const [row] = await query<SharedTrackerRow>(
    tx,
    'select t.id, t.name, t.currency_code, t.time_zone, t.created_at, t.updated_at from app.trackers t where t.id = :trackerId',
    { trackerId },
    options,
  );
  return row;
}

/** Returns a tracker of which the user is a member, and locks its row until the transaction ends. */
export async function getTrackerForUpdate(
  tx: Transaction,
  key: Caller & { readonly trackerId: string },
): Promise<TrackerRow> {
  // `for update` would block inserts of accounts, budgets and other rows whose foreign key locks this row.
  const [row] = await query<TrackerRow>(tx, `${trackersOfCaller} where t.id = :trackerId for no key update of t`, {
    ...key,
  });
  if (row === undefined) throw new Error('The tracker of an authorized request does not exist');
  return row;
}

/**
 * Inserts a tracker with the caller as its owner. The tracker becomes the caller's active tracker if the caller has no active tracker, and
 * the caller's default tracker if the caller has no default tracker.
 */
export async function insertTracker(tx: Transaction, tracker: NewTracker): Promise<void> {
  await query(tx, 'select app.create_tracker(:id, :name, :currencyCode, :timeZone)', { ...tracker });
}

/** Updates the name and time zone of a tracker that {@link getTrackerForUpdate} has locked. Returns the time of the update. */
export async function updateTracker(
  tx: Transaction,
  tracker: { readonly trackerId: string; readonly name: string; readonly timeZone: string },
): Promise<{ readonly updated_at: string }> {
  const [row] = await query<{ updated_at: string }>(
    tx,
    `update app.trackers set name = :name, time_zone = :timeZone, updated_at = now()
     where id = :trackerId
     returning updated_at`,
    tracker,
  );
  if (row === undefined) throw new Error('The update of a locked tracker returned no row');
  return row;
}
