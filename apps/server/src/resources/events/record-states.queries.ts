import type { Category } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import { type AccountRow, type CashboxRow, toAccountState, toCashboxState } from '../accounts/index.js';
import { type BudgetLineRow, type BudgetRow, toBudgetLineState, toBudgetState } from '../budgets/index.js';
import { type CategoryRow, toCategoryView } from '../categories/index.js';
import { type TrackerRow, toTrackerState, toTrackerView } from '../context/index.js';
import { type MovementRow, toMovementView } from '../movements/index.js';
import { toTransferView } from '../transfers/index.js';

/** The current state of a record, and the salt and digest of its last numbered event (an event that has a sequence number). */
export interface RecordState {
  readonly trackerId: string;
  readonly id: string;
  /**
   * The current state, in the form that a write hashes for `stateDigest`. Null if a transfer lacks one of its two movements, or if the row
   * cannot be converted.
   */
  readonly state: object | null;
  /** True if the record has a numbered event. */
  readonly hasEvent: boolean;
  /** The number of the last numbered event. */
  readonly sequence: number | null;
  /** Hexadecimal digits. */
  readonly salt: string | null;
  readonly stateDigest: string | null;
  readonly createdAt: string;
}

/**
 * A kind of record whose events contain a digest of the record's state.
 * @source docs/additions.md, section 4.1
 */
export interface RecordKind {
  readonly resourceType: string;
  /** The SQL expression of the record's id. */
  readonly id: string;
  /** The SQL `from` clause. Its alias `r` has the columns `tracker_id` and `created_at`. */
  readonly from: string;
  readonly columns: string;
  readonly toState: (row: never) => object | null;
  /** True if the creation of a record is an event of its tracker. False for trackers, because `tracker.created` is an event of the user. */
  readonly isRecorded: boolean;
}

const kind = <Row>(declared: Omit<RecordKind, 'toState'> & { readonly toState: (row: Row) => object | null }) =>
  declared as unknown as RecordKind;

/** Returns the columns of one of the two movements of a transfer. They are not read as JSON, because amounts in JSON would lose digits. */
const legColumns = (alias: string, prefix: string) =>
  [
    'id',
    'type',
    'kind',
    'amount',
    'currency_code',
    'account_id',
    'cashbox_id',
    'category_id',
    'occurred_on',
    'description',
    'merchant_name',
    'transfer_group_id',
    'external_id',
    'source_type',
    'source_id',
    'version',
    'voided_at',
    'created_at',
    'updated_at',
  ]
    .map((column) => `${alias}.${column} as ${prefix}${column}`)
    .join(', ');

type Legs = { readonly tracker_id: string; readonly id: string } & Readonly<Record<string, unknown>>;

function legOf(row: Legs, prefix: string): MovementRow | null {
  if (row[`${prefix}id`] === null) return null;
  const fields = Object.entries(row)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  return { ...Object.fromEntries(fields), tracker_id: row.tracker_id };
}

/** All kinds. Constants such as `0 as active_cashbox_count` only complete the row: the state omits the fields that depend on them. */
export const recordKinds: readonly RecordKind[] = [
  kind<AccountRow>({
    resourceType: 'account',
    id: 'r.id',
    from: 'app.accounts r',
    columns: 'r.name, r.type, r.currency_code, r.status, 0 as active_cashbox_count, r.updated_at',
    toState: toAccountState,
    isRecorded: true,
  }),
  kind<CashboxRow>({
    resourceType: 'cashbox',
    id: 'r.id',
    from: 'app.cashboxes r join app.accounts a on a.tracker_id = r.tracker_id and a.id = r.account_id',
    columns: `r.account_id, 'active' as account_status, r.name, a.currency_code, r.opening_balance, r.status, r.updated_at`,
    toState: toCashboxState,
    isRecorded: true,
  }),
  kind<CategoryRow>({
    resourceType: 'category',
    id: 'r.id',
    from: 'app.categories r',
    columns: 'r.scope, r.user_id, r.name, r.kind, r.parent_id, r.status, r.updated_at',
    toState: (row): Category => toCategoryView(row),
    isRecorded: true,
  }),
  kind<MovementRow>({
    resourceType: 'movement',
    id: 'r.id',
    from: 'app.movements r',
    columns: `r.type, r.kind, r.amount, r.currency_code, r.account_id, r.cashbox_id, r.category_id, r.occurred_on, r.description,
      r.merchant_name, r.transfer_group_id, r.external_id, r.source_type, r.source_id, r.version, r.voided_at, r.updated_at`,
    toState: toMovementView,
    isRecorded: true,
  }),
  kind<Legs>({
    resourceType: 'transfer',
    id: 'r.id',
    from: `app.transfers r
      left join app.movements o on o.tracker_id = r.tracker_id and o.transfer_group_id = r.id and o.type = 'expense'
      left join app.movements i on i.tracker_id = r.tracker_id and i.transfer_group_id = r.id and i.type = 'income'`,
    columns: `${legColumns('o', 'o_')}, ${legColumns('i', 'i_')}`,
    toState: (row) => {
      const [outgoing, incoming] = [legOf(row, 'o_'), legOf(row, 'i_')];
      return outgoing === null || incoming === null ? null : toTransferView(row.id, [outgoing, incoming]);
    },
    isRecorded: true,
  }),
  kind<BudgetRow>({
    resourceType: 'budget',
    id: 'r.id',
    from: 'app.budgets r',
    columns: 'r.name, r.mode, r.currency_code, r.period_start, r.period_end',
    toState: toBudgetState,
    isRecorded: true,
  }),
  kind<BudgetLineRow & Pick<BudgetRow, 'currency_code'>>({
    resourceType: 'budget_line',
    id: 'r.id',
    from: 'app.budget_lines r join app.budgets b on b.tracker_id = r.tracker_id and b.id = r.budget_id',
    columns: 'r.budget_id, r.category_id, r.type, r.planned, r.note, b.currency_code',
    toState: (row) => toBudgetLineState(row, row),
    isRecorded: true,
  }),
  kind<TrackerRow>({
    resourceType: 'tracker',
    id: 'r.id',
    from: '(select t.*, t.id as tracker_id from app.trackers t) r',
    columns: 'r.name, r.currency_code, r.time_zone, r.updated_at',
    toState: (row) => toTrackerState(toTrackerView(row)),
    isRecorded: false,
  }),
];

/**
 * SQL conditions that exclude records without events in their tracker. The two movements of a transfer have no events of
 * their own, because the server records events for the transfer. The events of a user-wide category belong to the user.
 */
const recordedOnly: Readonly<Record<string, string>> = {
  movement: 'and r.transfer_group_id is null',
  category: 'and r.tracker_id is not null',
};

// The statements of the command `check` may run for a day, because they read whole tables and no request waits for them.
const oneDay = { answerMsMax: 86_400_000 };

/** Reads records of one kind after a position, in the order of tracker and id, each with its last numbered event. */
export async function readRecordStates(
  tx: Transaction,
  { resourceType, id, from, columns, toState }: RecordKind,
  page: { readonly after: Pick<RecordState, 'trackerId' | 'id'> | undefined; readonly limit: number },
): Promise<RecordState[]> {
  const { after, limit } = page;
  const isText = resourceType === 'category';
  const rows = await query<
    { tracker_id: string; id: string; created_at: string } & Record<
      'event_sequence' | 'event_salt' | 'event_state_digest',
      string | null
    >
  >(
    tx,
    `select r.tracker_id, ${id}, r.created_at, ${columns}, e.sequence as event_sequence, encode(e.salt, 'hex') as event_salt,
       encode(e.state_digest, 'hex') as event_state_digest
     from ${from}
     left join lateral (
       select e.sequence, e.salt, e.state_digest from app.events e
       where e.tracker_id = r.tracker_id and e.resource_type = '${resourceType}' and e.resource_id = ${id}::text
       order by e.sequence desc limit 1) e on true
     where ${after === undefined ? 'true' : `(r.tracker_id, ${id}) > (cast(:trackerId as uuid), cast(:id as ${isText ? 'text' : 'uuid'}))`}
       ${recordedOnly[resourceType] ?? ''}
     order by r.tracker_id, ${id} limit cast(:limit as integer)`,
    { ...after, limit },
    oneDay,
  );
  return rows.map((row) => ({
    trackerId: row.tracker_id,
    id: row.id,
    state: stateOf(row, toState),
    hasEvent: row.event_sequence !== null,
    sequence: row.event_sequence === null ? null : Number(row.event_sequence),
    salt: row.event_salt,
    stateDigest: row.event_state_digest,
    createdAt: row.created_at,
  }));
}

/** Returns the state of a row, or null if the server could not have written the row, for example euros with three decimal places. */
function stateOf(row: object, toState: RecordKind['toState']): object | null {
  try {
    return toState(row as never);
  } catch {
    return null;
  }
}

/** Finds records that do not exist although an event recorded their state. */
export async function findLostRecords(
  tx: Transaction,
  { resourceType }: RecordKind,
): Promise<{ readonly trackerId: string; readonly id: string; readonly sequence: string }[]> {
  const table = {
    account: 'app.accounts',
    cashbox: 'app.cashboxes',
    category: 'app.categories',
    movement: 'app.movements',
    transfer: 'app.transfers',
    budget: 'app.budgets',
    budget_line: 'app.budget_lines',
    tracker: '(select t.id, t.id as tracker_id from app.trackers t)',
  }[resourceType];
  return query(
    tx,
    `select e.tracker_id as "trackerId", e.resource_id as id, max(e.sequence) as sequence
     from app.events e
     left join ${table} r on r.tracker_id = e.tracker_id and r.id::text = e.resource_id
     where e.resource_type = '${resourceType}' and e.state_digest is not null and r.id is null
     group by e.tracker_id, e.resource_id order by 1, 2`,
    {},
    oneDay,
  );
}
