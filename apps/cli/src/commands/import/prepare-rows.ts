import type { CreateMovementInput, CreateTransferInput } from '@centavo/sdk';
import { pairKey } from '../../statements/import-key.js';
import type { StatementRow } from '../../statements/statement-row.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';
import { type IdentifiedRow, identifyRows, type TransferredRow } from './identify-rows.js';
import type { RowPlan } from './plan-pairs.js';
import type { RowTargets } from './row-targets.js';
import { toTransfer } from './transfer-of-pair.js';

/** The movement that a row was exported from, in whatever tracker, and the account here that the row goes to. */
export interface ExportedMovement {
  readonly id: string;
  readonly accountId: string;
}

/** A row with everything that recording it takes; `key` is null in a dry run for an account that has no id yet. */
export interface PreparedRow {
  readonly line: number;
  readonly outcome: 'prepared';
  readonly key: string | null;
  /** Whether the key follows from the row's content, and not from an id that the bank may have given twice. */
  readonly isKeyOfContent: boolean;
  readonly exportedFrom: readonly ExportedMovement[];
  readonly body: CreateMovementInput;
}

/** Two rows that become one transfer; `lines` are those of both, `rowKeys` the keys that each has by itself. */
export interface PreparedPair {
  readonly lines: readonly [number, number];
  readonly outcome: 'paired';
  readonly key: string | null;
  readonly rowKeys: readonly (string | null)[];
  readonly exportedFrom: readonly ExportedMovement[];
  readonly body: CreateTransferInput;
  /** The same rows as two movements, for where they have been recorded so before. */
  readonly apart: () => Promise<readonly SingleRow[]>;
}

type SingleRow = PreparedRow | Extract<StatementRow, { outcome: 'failure' }>;

export type ReadyRow = SingleRow | PreparedPair | TransferredRow | Exclude<StatementRow, { outcome: 'transaction' }>;

/**
 * Makes rows ready to be recorded, one by one in the order of the file; the first row of a pair waits for the second. A
 * category is looked for, and made, only for a row that becomes a movement: transfers have none.
 *
 * @param plan.partnerOf the partner of a paired row; a row whose partner turns out to be a failure goes alone
 * @throws whatever ends the whole import: no rights, no network
 */
export async function* prepareRows(
  rows: AsyncIterable<StatementRow>,
  { targets, plan }: { targets: RowTargets; plan: Pick<RowPlan, 'partnerOf' | 'mayRepeat'> },
): AsyncGenerator<ReadyRow> {
  const waiting = new Map<number, IdentifiedRow>();
  for await (const row of identifyRows(rows, targets, plan)) {
    const partner = plan.partnerOf(row.index);
    const held = partner === undefined ? undefined : waiting.get(partner);
    if (partner !== undefined && held !== undefined) waiting.delete(partner);
    if (row.outcome !== 'identified') {
      if (held !== undefined) yield await prepareAlone(held, targets);
      yield row;
    } else if (held !== undefined) yield preparePair(held, row, targets);
    else if (partner !== undefined && partner > row.index) waiting.set(row.index, row);
    else yield await prepareAlone(row, targets);
  }
  for (const row of waiting.values()) yield await prepareAlone(row, targets);
}

/** Half of a transfer is neither an expense nor an income, so it is not recorded without the other half. */
async function prepareAlone(row: IdentifiedRow, targets: RowTargets): Promise<ReadyRow> {
  if (row.transaction.transferGroupId === undefined) return prepareRow(row, targets);
  const reason = 'it is half of a transfer; --pair-transfers records both halves, where the file has them, as one';
  return { line: row.line, outcome: 'skipped', reason };
}

async function prepareRow(row: IdentifiedRow, targets: RowTargets): Promise<SingleRow> {
  const { line, key, transaction, target } = row;
  const { direction: type } = transaction;
  const categoryName = textToSend(transaction.categoryName) ?? null;
  const category = categoryName === null ? undefined : await targets.categories.find(categoryName, type);
  if (category !== undefined && 'reason' in category) return { line, outcome: 'failure', reason: category.reason };
  const body: CreateMovementInput = {
    type,
    amountDecimal: transaction.amountDecimal,
    accountId: target.id ?? target.name,
    cashboxId: targets.cashboxId,
    categoryId: category?.found ?? undefined,
    occurredOn: transaction.occurredOn,
    currencyCode: target.currencyCode,
    description: textToSend(transaction.description),
    merchantName: textToSend(transaction.merchantName),
  };
  return {
    line,
    outcome: 'prepared',
    key,
    isKeyOfContent: transaction.statementId === null,
    exportedFrom: originOf(row),
    body,
  };
}

function textToSend(text: string | null): string | undefined {
  return withoutFormatCharacters(text ?? '').trim() || undefined;
}

function preparePair(first: IdentifiedRow, second: IdentifiedRow, targets: RowTargets): PreparedPair {
  const isFirstOut = first.transaction.direction === 'expense';
  const [outgoing, incoming] = isFirstOut ? [first, second] : [second, first];
  return {
    lines: [first.line, second.line],
    outcome: 'paired',
    key: outgoing.key === null || incoming.key === null ? null : pairKey(outgoing.key, incoming.key),
    rowKeys: [outgoing.key, incoming.key],
    exportedFrom: [...originOf(outgoing), ...originOf(incoming)],
    body: toTransfer(outgoing, incoming),
    apart: async () => [await prepareRow(first, targets), await prepareRow(second, targets)],
  };
}

function originOf({ transaction: { movementId }, target }: IdentifiedRow): readonly ExportedMovement[] {
  return movementId === undefined || target.id === null ? [] : [{ id: movementId, accountId: target.id }];
}
