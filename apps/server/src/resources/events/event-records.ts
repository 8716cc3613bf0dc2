import type { ChangedRecord, EventResourceType, Role } from '@centavo/contracts';
import type { Principal } from '../../auth/principal.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type AccountRow,
  type CashboxRow,
  listAccountsById,
  listCashboxesById,
  toAccountView,
  toCashboxView,
} from '../accounts/index.js';
import { type CategoryRow, listTrackerCategoriesById, toCategoryView } from '../categories/index.js';
import { findSharedTracker, type SharedTrackerRow, toTrackerView } from '../context/index.js';
import { listMovementsById, type MovementRow, toMovementView } from '../movements/index.js';
import { listTransferLegsById, type TransferLegs, toTransferView } from '../transfers/index.js';
import { type EventPageRequest, idsInPage } from './event-page.queries.js';

/** The current rows of the records that a page of events names. */
export interface EventRecordRows {
  readonly movements: readonly MovementRow[];
  readonly transfers: readonly TransferLegs[];
  readonly accounts: readonly AccountRow[];
  readonly cashboxes: readonly CashboxRow[];
  readonly categories: readonly CategoryRow[];
  readonly tracker: SharedTrackerRow | undefined;
}

/**
 * Returns the rows of the records that a page of events names. Sends all statements in one batch. PostgreSQL executes them after the read
 * of the page, so no record is older than its event.
 */
export async function readEventRecords(tx: Transaction, page: EventPageRequest): Promise<EventRecordRows> {
  const { trackerId } = page;
  const ids = (type: EventResourceType) => idsInPage(page, type);
  const [movements, transfers, accounts, cashboxes, categories, tracker] = await Promise.all([
    listMovementsById(tx, { trackerId, ids: ids('movement') }),
    listTransferLegsById(tx, { trackerId, ids: ids('transfer') }),
    listAccountsById(tx, { trackerId, ids: ids('account') }),
    listCashboxesById(tx, { trackerId, ids: ids('cashbox'), accountIds: ids('account') }),
    listTrackerCategoriesById(tx, { trackerId, ids: ids('category') }),
    findSharedTracker(tx, trackerId, { isLastRead: true }),
  ]);
  return { movements, transfers, accounts, cashboxes, categories, tracker };
}

/**
 * The principal that receives the records: a caller, or the owner of a webhook endpoint. The record of a tracker contains the principal's
 * role, and whether the tracker is the principal's active or default tracker.
 */
export interface RecordReader {
  readonly role: Role;
  readonly principal: Pick<Principal, 'activeTrackerId' | 'defaultTrackerId'>;
}

/**
 * Returns a function that finds the record that an event names. The record has the same form as in the API operation that reads it, such
 * as `GET /movements/{movementId}`. The function returns null if `rows` does not contain the record. `rows` never contains budgets, budget
 * lines, members or webhooks.
 * @source docs/additions.md, section 3.5
 */
export function indexEventRecords(
  rows: EventRecordRows,
  { role, principal }: RecordReader,
): (resource: { readonly resourceType: string; readonly resourceId: string }) => ChangedRecord | null {
  const records = new Map<string, ChangedRecord>();
  for (const row of rows.movements) records.set(`movement ${row.id}`, toMovementView(row));
  for (const legs of rows.transfers) {
    const groupId = legs[0].transfer_group_id ?? '';
    records.set(`transfer ${groupId}`, toTransferView(groupId, legs));
  }
  const cashboxes = rows.cashboxes.map(toCashboxView);
  for (const cashbox of cashboxes) records.set(`cashbox ${cashbox.id}`, cashbox);
  for (const row of rows.accounts) {
    const ofAccount = cashboxes.filter(({ accountId, status }) => accountId === row.id && status === 'active');
    records.set(`account ${row.id}`, { ...toAccountView(row), cashboxes: ofAccount });
  }
  for (const row of rows.categories) records.set(`category ${row.id}`, toCategoryView(row));
  if (rows.tracker !== undefined) {
    const { id } = rows.tracker;
    const choices = { is_active: principal.activeTrackerId === id, is_default: principal.defaultTrackerId === id };
    records.set(`tracker ${id}`, toTrackerView({ ...rows.tracker, role, ...choices }));
  }
  return ({ resourceType, resourceId }) => records.get(`${resourceType} ${resourceId}`) ?? null;
}
