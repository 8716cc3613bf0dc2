import { daysAheadMax, earliestDate, withoutFormatCharacters } from '@centavo/contracts/calls';
import type { CreateMovementInput, CreateTransferInput } from '@centavo/sdk';
import { cutText, pairKey, type StatementRow, type StatementTransaction } from '@centavo/statement-reader';
import type { PairPlan } from '../plan/pairs/plan-pairs.js';
import { withoutTransferMark, writeTransferMark } from '../plan/recorded/recorded-transfers.js';
import type { MatchFields } from '../plan/recorded/voided-movements.js';
import {
  externalIdOf,
  type RecordedTransferRow,
  type ResolvedRow,
  type RowDestinations,
  resolveRows,
  textToSend,
} from '../plan/rows.js';

/**
 * The id of the movement from which a row was exported, and the account into which the row is imported. The movement may
 * be in another tracker.
 */
export interface ExportedMovement {
  readonly id: string;
  readonly accountId: string;
}

/** A request that records one row as a movement. In a dry run, the idempotency key is null if the account does not exist yet. */
export interface MovementRequest {
  readonly line: number;
  readonly outcome: 'movement';
  readonly key: string | null;
  /** Whether the key depends on the content of the row. If not, it depends on the bank's id of the row, and banks may reuse ids. */
  readonly isKeyOfContent: boolean;
  /**
   * Whether the row matches a recorded movement. Such a row is sent only if its own idempotency key was used before. In that
   * case, the server does not record the row a second time.
   */
  readonly isRecorded: boolean;
  readonly exportedFrom: readonly ExportedMovement[];
  readonly body: CreateMovementInput;
}

/** A request that records two rows as one transfer. */
export interface TransferRequest {
  readonly lines: readonly [number, number];
  readonly outcome: 'transfer';
  readonly key: string | null;
  /** The idempotency keys that the two rows would have if they were recorded as two movements. */
  readonly rowKeys: readonly (string | null)[];
  /**
   * The account and the `externalId` of each of the two rows. A row is left out if it has no `externalId`, or if its account does
   * not exist yet.
   */
  readonly rowIds: readonly { readonly accountId: string; readonly externalId: string }[];
  readonly exportedFrom: readonly ExportedMovement[];
  readonly body: CreateTransferInput;
  /** Returns the requests that record the two rows as separate movements. */
  readonly split: () => Promise<readonly SingleRow[]>;
}

type SingleRow = MovementRequest | Extract<StatementRow, { outcome: 'failure' }>;

/** Returns the account, day and amount of each movement that a request creates. */
export function matchFieldsOf({ body }: MovementRequest | TransferRequest): readonly MatchFields[] {
  const accountIds = 'fromAccountId' in body ? [body.fromAccountId, body.toAccountId] : [body.accountId];
  const { amountDecimal, occurredOn } = body;
  return accountIds.map((accountId) => ({ accountId, amountDecimal, occurredOn: occurredOn ?? '' }));
}

/** A request, or a row for which no request is sent. */
export type RowRequest =
  | SingleRow
  | TransferRequest
  | RecordedTransferRow
  | Exclude<StatementRow, { outcome: 'transaction' }>;

/**
 * Turns rows into requests, in the order of the file. Two rows of one transfer (a pair) become one request, which is
 * returned when the second row is read. Categories are resolved or created only for rows that become movements, because
 * transfers have no category.
 *
 * @param options.leftOut the positions of rows that match a recorded movement; such a row does not become part of a
 *   transfer (see also `MovementRequest.isRecorded`)
 * @param options.plan.partnerOf returns the position of the other row of a pair; if one of the rows fails, the other is recorded
 *   alone
 * @throws an error that stops the whole import, such as a missing scope or a lost connection
 */
export async function* toRequests(
  rows: AsyncIterable<StatementRow>,
  {
    destinations,
    plan,
    leftOut,
  }: {
    destinations: RowDestinations;
    plan: Pick<PairPlan, 'partnerOf' | 'mayRepeat'>;
    leftOut: ReadonlySet<number>;
  },
): AsyncGenerator<RowRequest> {
  const waiting = new Map<number, ResolvedRow>();
  const toSingle = (row: ResolvedRow) => toSingleRequest(row, { destinations, isRecorded: leftOut.has(row.index) });
  const partnerOf = (index: number) => {
    const partner = plan.partnerOf(index);
    return partner === undefined || leftOut.has(index) || leftOut.has(partner) ? undefined : partner;
  };
  for await (const row of resolveRows(rows, destinations, plan)) {
    const partner = partnerOf(row.index);
    const first = partner === undefined ? undefined : waiting.get(partner);
    if (partner !== undefined && first !== undefined) waiting.delete(partner);
    if (row.outcome !== 'resolved') {
      if (first !== undefined) yield await toSingle(first);
      yield row;
    } else if (first !== undefined) yield toTransferRequest(first, row, destinations);
    else if (partner !== undefined && partner > row.index) waiting.set(row.index, row);
    else yield await toSingle(row);
  }
  for (const row of waiting.values()) yield await toSingle(row);
}

/**
 * Returns the request for a single row. A row that an export of Centavo marks as one side of a transfer is skipped, because
 * alone it is neither an expense nor an income.
 */
async function toSingleRequest(
  row: ResolvedRow,
  options: { destinations: RowDestinations; isRecorded: boolean },
): Promise<RowRequest> {
  if (row.transaction.transferGroupId === undefined) return toMovementRequest(row, options);
  const reason =
    'it is one side of a transfer; if the file has both sides, --pair-transfers records them as one transfer';
  return { line: row.line, outcome: 'skipped', reason };
}

async function toMovementRequest(
  row: ResolvedRow,
  { destinations, isRecorded }: { destinations: RowDestinations; isRecorded: boolean },
): Promise<SingleRow> {
  const { line, key, transaction, target } = row;
  const { direction: type } = transaction;
  const categoryName = textToSend(transaction.categoryName) ?? null;
  const category = categoryName === null ? undefined : await destinations.categories.resolve(categoryName, type);
  if (category !== undefined && 'reason' in category) return { line, outcome: 'failure', reason: category.reason };
  const body: CreateMovementInput = {
    type,
    amountDecimal: transaction.amountDecimal,
    accountId: target.id ?? target.name,
    cashboxId: destinations.cashboxId,
    categoryId: category?.found ?? undefined,
    occurredOn: transaction.occurredOn,
    currencyCode: target.currencyCode,
    description: textToSend(transaction.description),
    merchantName: textToSend(transaction.merchantName),
    externalId: externalIdOf(transaction, destinations),
  };
  const isKeyOfContent = transaction.statementId === null;
  return { line, outcome: 'movement', key, isKeyOfContent, isRecorded, exportedFrom: exportedFrom(row), body };
}

function toTransferRequest(first: ResolvedRow, second: ResolvedRow, destinations: RowDestinations): TransferRequest {
  const isFirstOut = first.transaction.direction === 'expense';
  const [outgoing, incoming] = isFirstOut ? [first, second] : [second, first];
  return {
    lines: [first.line, second.line],
    outcome: 'transfer',
    key: outgoing.key === null || incoming.key === null ? null : pairKey(outgoing.key, incoming.key),
    rowKeys: [outgoing.key, incoming.key],
    rowIds: [outgoing, incoming].flatMap(({ transaction, target }) => {
      const externalId = externalIdOf(transaction, destinations);
      return externalId === undefined || target.id === null ? [] : [{ accountId: target.id, externalId }];
    }),
    exportedFrom: [...exportedFrom(outgoing), ...exportedFrom(incoming)],
    body: toTransfer(outgoing, incoming),
    split: async () => {
      const options = { destinations, isRecorded: false };
      return [await toMovementRequest(first, options), await toMovementRequest(second, options)];
    },
  };
}

function exportedFrom({ transaction: { movementId }, target }: ResolvedRow): readonly ExportedMovement[] {
  return movementId === undefined || target.id === null ? [] : [{ id: movementId, accountId: target.id }];
}

/**
 * Returns the transfer that two rows become. Its day is the day of the outgoing row. Its description contains the texts
 * of both rows, the day of the incoming row if the two days differ, and a mark. A later import uses the
 * mark to recognize each of the two rows, even if its file contains only one of them (see `RecordedTransfers`). In a dry
 * run there is no mark if one of the rows has no key yet.
 */
function toTransfer(outgoing: ResolvedRow, incoming: ResolvedRow): CreateTransferInput {
  const [from, to] = [outgoing.transaction, incoming.transaction];
  const texts = new Set([textOfRow(from), textOfRow(to)].filter((text) => text !== ''));
  const arrival = from.occurredOn === to.occurredOn ? '' : `(arrived ${to.occurredOn})`;
  const hasKeys = outgoing.key !== null && incoming.key !== null;
  const mark = hasKeys ? writeTransferMark(outgoing.key, incoming.key) : '';
  const parts = [[...texts].join(' / '), arrival, mark].filter((part) => part !== '');
  return {
    amountDecimal: from.amountDecimal,
    fromAccountId: outgoing.target.id ?? outgoing.target.name,
    toAccountId: incoming.target.id ?? incoming.target.name,
    occurredOn: from.occurredOn,
    currencyCode: outgoing.target.currencyCode,
    description: parts.join(' ') || undefined,
  };
}

/** Returns the text of a row, cut so that two texts, a day and a mark fit into the 500 characters that the API allows. */
function textOfRow({ description, merchantName }: StatementTransaction): string {
  return withoutFormatCharacters(cutText(withoutTransferMark((description ?? merchantName ?? '').trim()), 200));
}

/**
 * Turns requests whose date the API would reject into failures, so that a dry run reports them. The latest date that the
 * API accepts depends on the current day in the tracker's time zone. This time zone is unknown here, so a date that is
 * valid in at least one time zone is accepted. A real import must not check dates, because the clock of the server decides.
 *
 * @param nowMs milliseconds since 1970
 */
export async function* failDatesOutOfRange(rows: AsyncIterable<RowRequest>, nowMs: number): AsyncGenerator<RowRequest> {
  const latestDate = new Date(nowMs + firstTimeZoneMs + daysAheadMax * dayMs).toISOString().slice(0, 10);
  for await (const row of rows) {
    const reason =
      row.outcome === 'movement' || row.outcome === 'transfer' ? checkDate(row.body, latestDate) : undefined;
    if (reason === undefined) yield row;
    else for (const line of linesOf(row)) yield { line, outcome: 'failure', reason };
  }
}

const dayMs = 86_400_000;

/** In the easternmost time zone, a day begins 14 hours earlier than in UTC. */
const firstTimeZoneMs = 14 * 3_600_000;

function checkDate(
  { occurredOn }: { readonly occurredOn?: string | null | undefined },
  latestDate: string,
): string | undefined {
  if (occurredOn === undefined || occurredOn === null) return undefined;
  if (occurredOn < earliestDate) return `occurredOn: ${occurredOn} is before ${earliestDate}, the earliest date`;
  return occurredOn > latestDate ? `occurredOn: ${occurredOn} is more than ${daysAheadMax} days ahead` : undefined;
}

function linesOf(row: RowRequest): readonly number[] {
  return row.outcome === 'transfer' ? row.lines : [row.line];
}
