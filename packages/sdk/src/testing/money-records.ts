/** Builders of movements, transfers and budgets. Each returns a complete record: the given properties, and defaults for all others. */
import type * as contracts from '@centavo/contracts';
import { fromMinorUnits } from '@centavo/contracts/calls';
import type { Budget, BudgetDetail, BudgetLine, Movement, Transfer } from '../money/record-types.js';
import { anId, sharedClientId, sharedMoment, sharedTrackerId } from './an-id.js';

const times = { createdAt: sharedMoment, updatedAt: sharedMoment };

/**
 * Returns an expense of 1250 minor units: 12.50 in EUR (the default), 1250 in JPY, 1.250 in KWD.
 * @example
 * import { aMovement } from '@centavo/sdk/testing';
 *
 * const salary = aMovement({ type: 'income', amountDecimal: '1200.00', description: 'Salary' });
 */
export function aMovement(fields: Partial<contracts.Movement> = {}): Movement {
  const currencyCode = fields.currencyCode ?? 'EUR';
  const movement: contracts.Movement = {
    id: anId(),
    trackerId: sharedTrackerId,
    type: 'expense',
    kind: 'regular',
    amountDecimal: fromMinorUnits(1250n, currencyCode),
    currencyCode,
    accountId: anId(),
    cashboxId: anId(),
    categoryId: 'cat_unknown',
    occurredOn: '2026-01-31',
    description: 'Lunch',
    merchantName: null,
    transferGroupId: null,
    externalId: null,
    source: { type: 'integration_client', id: sharedClientId },
    version: 1,
    voidedAt: null,
    ...times,
    ...fields,
  };
  return movement as Movement;
}

/** The properties of a transfer, except `movements`: the builder derives the movements from the other properties. */
export type TransferFields = Partial<Omit<contracts.Transfer, 'movements'>>;

/**
 * Returns a transfer of 5000 minor units with its two movements: first the outgoing one, then the incoming one.
 * @example
 * import { aTransfer } from '@centavo/sdk/testing';
 *
 * const { movements: [outgoing, incoming] } = aTransfer({ amountDecimal: '300.00' });
 * console.log(outgoing.type, incoming.type); // "expense" "income"
 */
export function aTransfer(fields: TransferFields = {}): Transfer {
  const currencyCode = fields.currencyCode ?? 'EUR';
  const transfer = {
    groupId: anId(),
    trackerId: sharedTrackerId,
    amountDecimal: fromMinorUnits(5000n, currencyCode),
    currencyCode,
    occurredOn: '2026-01-31',
    description: null,
    from: aSide(),
    to: aSide(),
    voidedAt: null,
    createdAt: sharedMoment,
    ...fields,
  };
  const movements = [legOf(transfer, 'expense'), legOf(transfer, 'income')];
  return { ...transfer, movements } as Transfer;
}

function aSide(): contracts.Transfer['from'] {
  return { accountId: anId(), cashboxId: anId(), movementId: anId() };
}

function legOf(transfer: Omit<contracts.Transfer, 'movements'>, type: Movement['type']): Movement {
  const { trackerId, amountDecimal, currencyCode, occurredOn, description, createdAt } = transfer;
  const { movementId, accountId, cashboxId } = type === 'expense' ? transfer.from : transfer.to;
  const shared = { trackerId, amountDecimal, currencyCode, occurredOn, description, createdAt, updatedAt: createdAt };
  const own = { id: movementId, accountId, cashboxId, categoryId: null, transferGroupId: transfer.groupId };
  return aMovement({ ...shared, ...own, type, kind: 'transfer' });
}

/**
 * Returns a budget as `budgets.list` returns it. By default, it is for January 2026, in tracking mode, and has no lines.
 * @example
 * import { aBudget } from '@centavo/sdk/testing';
 *
 * const closed = aBudget({ name: 'Last year', status: 'closed' });
 */
export function aBudget(fields: Partial<contracts.Budget> = {}): Budget {
  return {
    id: anId(),
    trackerId: sharedTrackerId,
    name: 'January',
    mode: 'tracking',
    status: 'active',
    currencyCode: 'EUR',
    periodStart: '2026-01-01',
    periodEnd: '2026-01-31',
    lineCount: 0,
    ...times,
    ...fields,
  };
}

/**
 * Returns a budget line with 250.00 EUR planned and 12.50 EUR spent.
 * @example
 * import { aBudgetLine } from '@centavo/sdk/testing';
 *
 * const overspent = aBudgetLine({ actualDecimal: '260.00', remainingDecimal: '-10.00' });
 */
export function aBudgetLine(fields: Partial<contracts.BudgetLine> = {}): BudgetLine {
  const line: contracts.BudgetLine = {
    id: anId(),
    budgetId: anId(),
    categoryId: 'cat_unknown',
    type: 'expense',
    plannedDecimal: '250.00',
    actualDecimal: '12.50',
    remainingDecimal: '237.50',
    note: null,
    createdAt: sharedMoment,
    ...fields,
  };
  return line as BudgetLine;
}

/**
 * Returns a budget with one line. The totals and the progress of the budget fit that line. If you set `lines` with other amounts, also
 * set `summary` and `progress`.
 * @example
 * import { aBudgetDetail, aBudgetLine } from '@centavo/sdk/testing';
 *
 * const budget = aBudgetDetail({ lines: [aBudgetLine({ note: 'For the party' })] });
 */
export function aBudgetDetail(fields: Partial<contracts.BudgetDetail> = {}): BudgetDetail {
  const budget = aBudget(fields);
  const lines = fields.lines ?? [aBudgetLine({ budgetId: budget.id })];
  const none = { plannedDecimal: '0.00', actualDecimal: '0.00', remainingDecimal: '0.00', unplannedDecimal: '0.00' };
  const spent = { plannedDecimal: '250.00', actualDecimal: '12.50', remainingDecimal: '237.50' };
  return {
    ...budget,
    lineCount: lines.length,
    lines,
    summary: { expense: { ...none, ...spent }, income: none },
    progress: { daysTotal: 31, daysElapsed: 31, elapsedRatio: '1.0000', expenseRatio: '0.0500' },
    ...fields,
  } as BudgetDetail;
}
