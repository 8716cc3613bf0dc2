import { expect } from 'vitest';
import type { Answer } from '../../acceptance/support/call-api.js';
import { type Cashbox, type Currency, decimalOf, type Entry, findUnits, type Ledger, type Refusal } from './ledger.js';
import { counts, type LedgerApi } from './ledger-api.js';
import type { Command } from './ledger-checks.js';
import { succeed } from './tenants.js';

/** Creates an account with at least one cashbox. */
export const openAccount = (opening: { currencyCode: Currency; openingUnits: number; cashboxes: number }): Command => ({
  check: () => true,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { currencyCode, openingUnits, cashboxes } = opening;
    const openingBalanceDecimal = decimalOf(BigInt(openingUnits), currencyCode);
    const names = Array.from({ length: cashboxes }, (_, position) => `Box ${position}`);
    const account = await succeed(api.call, 'POST /v1/financial/accounts', {
      body: {
        name: 'Account',
        type: 'cash',
        currencyCode,
        cashboxes: names.map((name) => ({ name, openingBalanceDecimal })),
      },
    });
    for (const { id } of account.cashboxes) {
      const opening = BigInt(openingUnits);
      ledger.cashboxes.push({ id, accountId: account.id, currencyCode, opening, balance: opening, isActive: true });
    }
    await requireSums(ledger, api);
  },
  toString: () => `open ${JSON.stringify(opening)}`,
});

/** Archives or reactivates a cashbox. */
export const toggleCashbox = (position: number): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const cashbox = at(ledger.cashboxes, position);
    const status = cashbox.isActive ? 'archived' : 'active';
    await succeed(api.call, `PATCH /v1/financial/cashboxes/${cashbox.id}`, { body: { status } });
    cashbox.isActive = !cashbox.isActive;
    await requireSums(ledger, api);
  },
  toString: () => `toggle cashbox ${position}`,
});

export const addCategory = (body: { name: string; kind: 'expense' | 'income' | 'any' }): Command => ({
  check: () => true,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const isTaken = ledger.categories.some(({ name }) => name.toLowerCase() === body.name.toLowerCase());
    const refusal = isTaken ? { status: 409, code: 'STATE_CONFLICT', reason: 'name_taken' } : undefined;
    const request = { methodAndPath: 'POST /v1/financial/categories', body };
    const { data } = await api.write(ledger, request, refusal);
    if (refusal === undefined) ledger.categories.push({ id: data.id, ...body });
  },
  toString: () => `category ${JSON.stringify(body)}`,
});

interface MovementChoice {
  readonly type: 'expense' | 'income';
  readonly amountDecimal: string;
  readonly cashbox: number;
  readonly isCashboxNamed: boolean;
  readonly category: number;
  readonly occurredOn: string;
  readonly description: string | null;
  readonly externalId: string | undefined;
  /** The number of concurrent requests, whose movements may get the same `createdAt`. With an external id, only one request is sent. */
  readonly times: number;
}

export const recordMovements = (choice: MovementChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { type, amountDecimal, occurredOn, description, externalId, isCashboxNamed } = choice;
    const cashbox = at(ledger.cashboxes, choice.cashbox);
    const category = at(ledger.categories, choice.category);
    const { accountId, currencyCode } = cashbox;
    const named = isCashboxNamed ? { cashboxId: cashbox.id } : {};
    const body = {
      type,
      amountDecimal,
      accountId,
      ...named,
      categoryId: category.id,
      occurredOn,
      description,
      ...(externalId === undefined ? {} : { externalId }),
    };
    const chosen = ledger.chooseCashbox(accountId, isCashboxNamed ? cashbox.id : undefined);
    const units = findUnits(amountDecimal, currencyCode);
    const isTaken = externalId !== undefined && ledger.list({ accountId, externalId }).length > 0;
    const refusal =
      refusalOf([
        units === undefined && 'AMOUNT_PRECISION',
        category.kind !== 'any' && category.kind !== type && 'CATEGORY_NOT_USABLE',
        typeof chosen === 'string' && chosen,
      ]) ?? (isTaken ? { status: 409, code: 'STATE_CONFLICT', reason: 'external_id_exists' } : undefined);
    const request = { methodAndPath: 'POST /v1/financial/movements', body };
    const length = externalId === undefined ? choice.times : 1;
    const answers = await Promise.all(Array.from({ length }, () => api.write(ledger, request, refusal)));
    for (const { data, headers } of refusal === undefined ? answers : []) {
      const expected = {
        type,
        kind: 'regular' as const,
        amountDecimal: decimalOf(units ?? 0n, currencyCode),
        currencyCode,
        accountId,
        cashboxId: (chosen as Cashbox).id,
        categoryId: category.id,
        occurredOn,
        description,
        merchantName: null,
        transferGroupId: null,
        externalId: externalId ?? null,
        version: 1,
        voidedAt: null,
      };
      expect(data).toMatchObject(expected);
      ledger.add({
        record: { ...expected, id: data.id, createdAt: data.createdAt },
        tags: [headers.get('ETag') ?? ''],
      });
    }
    await requireSums(ledger, api);
  },
  toString: () => `record ${JSON.stringify(choice)}`,
});

interface TransferChoice {
  readonly amountDecimal: string;
  readonly from: number;
  readonly to: number;
  readonly areCashboxesNamed: boolean;
  readonly occurredOn: string;
}

export const transfer = (choice: TransferChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { amountDecimal, occurredOn, areCashboxesNamed } = choice;
    const [from, to] = [at(ledger.cashboxes, choice.from), at(ledger.cashboxes, choice.to)];
    const named = areCashboxesNamed ? { fromCashboxId: from.id, toCashboxId: to.id } : {};
    const body = { amountDecimal, fromAccountId: from.accountId, toAccountId: to.accountId, ...named, occurredOn };
    const [source, target] = [from, to].map((side) =>
      ledger.chooseCashbox(side.accountId, areCashboxesNamed ? side.id : undefined),
    ) as [Cashbox | string, Cashbox | string];
    const units = findUnits(amountDecimal, from.currencyCode);
    const refusal = refusalOf([
      units === undefined && 'AMOUNT_PRECISION',
      from.currencyCode !== to.currencyCode && 'CURRENCY_MISMATCH',
      typeof source === 'string' && source,
      typeof target === 'string' && target,
      typeof source !== 'string' && source === target && 'SAME_SOURCE_AND_DESTINATION',
    ]);
    const request = { methodAndPath: 'POST /v1/financial/transfers', body };
    const { data, headers: ownHeaders } = await api.write(ledger, request, refusal);
    const legs: Entry[] = [];
    for (const leg of refusal === undefined ? [0, 1] : []) {
      const expected = {
        type: leg === 0 ? ('expense' as const) : ('income' as const),
        kind: 'transfer' as const,
        amountDecimal: decimalOf(units ?? 0n, from.currencyCode),
        currencyCode: from.currencyCode,
        accountId: ([source, target][leg] as Cashbox).accountId,
        cashboxId: ([source, target][leg] as Cashbox).id,
        categoryId: null,
        occurredOn,
        description: null,
        merchantName: null,
        transferGroupId: data.groupId,
        externalId: null,
        version: 1,
        voidedAt: null,
      };
      expect(data.movements[leg]).toMatchObject(expected);
      const { id, createdAt } = data.movements[leg];
      const { headers } = await api.call(`GET /v1/financial/movements/${id}`);
      const entry = { record: { ...expected, id, createdAt }, tags: [headers.get('ETag') ?? ''] };
      ledger.add(entry);
      legs.push(entry);
    }
    if (refusal === undefined) {
      ledger.pairs.push({ groupId: data.groupId, legs, tags: [ownHeaders.get('ETag') ?? ''] });
    }
    await requireSums(ledger, api);
  },
  toString: () => `transfer ${JSON.stringify(choice)}`,
});

interface CorrectionChoice {
  readonly movement: number;
  readonly patch: { amountDecimal?: string; description?: string | null; merchantName?: string | null };
  readonly category: number | undefined;
  /** The ETags in `If-Match`. */
  readonly tags: 'current' | 'stale' | 'both';
}

export const correct = (choice: CorrectionChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.entries.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const entry = at(ledger.entries, choice.movement);
    const { record } = entry;
    const category = choice.category === undefined ? undefined : at(ledger.categories, choice.category);
    const body = { ...choice.patch, ...(category === undefined ? {} : { categoryId: category.id }) };
    const current = entry.tags.at(-1) ?? '';
    const stale = entry.tags.at(-2) ?? '"never"';
    const tags = { current: [current], stale: [stale], both: [stale, current] }[choice.tags];

    const { amountDecimal = record.amountDecimal } = body;
    const units = findUnits(amountDecimal, record.currencyCode);
    const isOtherKind = category !== undefined && category.kind !== 'any' && category.kind !== record.type;
    const refusal =
      record.kind === 'transfer'
        ? { status: 409, code: 'STATE_CONFLICT', reason: 'transfer_leg' }
        : !tags.includes(current)
          ? { status: 409, code: 'VERSION_CONFLICT' }
          : (refusalOf([
              units === undefined && 'AMOUNT_PRECISION',
              isOtherKind && category.id !== record.categoryId && 'CATEGORY_NOT_USABLE',
            ]) ?? refusalOfVoided(record));
    const request = {
      methodAndPath: `PATCH /v1/financial/movements/${record.id}`,
      headers: { 'If-Match': tags.join(', ') },
      body,
    };
    const { data, headers } = await api.write(ledger, request, refusal);
    if (refusal !== undefined) return;
    const after = { ...record, ...body, amountDecimal: decimalOf(units ?? 0n, record.currencyCode) } as Entry['record'];
    const isChanged = JSON.stringify(after) !== JSON.stringify(record);
    const corrected = { ...after, version: record.version + (isChanged ? 1 : 0) };
    expect(data).toMatchObject(corrected);
    ledger.correct(entry, corrected);
    counts.corrections += 1;
    const etag = headers.get('ETag') ?? '';
    if (isChanged) {
      expect(entry.tags).not.toContain(etag);
      entry.tags.push(etag);
    } else expect(etag).toBe(current);
    await requireSums(ledger, api);
  },
  toString: () => `correct ${JSON.stringify(choice)}`,
});

interface VoidChoice {
  readonly position: number;
  readonly isStale: boolean;
}

/** Voids a movement. The API must refuse this for a leg of a transfer. */
export const voidMovement = (choice: VoidChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.entries.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const entry = at(ledger.entries, choice.position);
    const { record, tags } = entry;
    const refusal = choice.isStale
      ? { status: 409, code: 'VERSION_CONFLICT' }
      : record.kind === 'transfer'
        ? { status: 409, code: 'STATE_CONFLICT', reason: 'transfer_leg' }
        : refusalOfVoided(record);
    const request = {
      methodAndPath: `POST /v1/financial/movements/${record.id}/void`,
      headers: { 'If-Match': choice.isStale ? (tags.at(-2) ?? '"never"') : (tags.at(-1) ?? '') },
      body: {},
    };
    const { data, headers } = await api.write(ledger, request, refusal);
    if (refusal === undefined) applyVoid({ entry, data, etag: headers.get('ETag') ?? '' }, ledger);
    await requireSums(ledger, api);
  },
  toString: () => `void movement ${JSON.stringify(choice)}`,
});

/** Voids a transfer with both movements. */
export const voidTransfer = (choice: VoidChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.pairs.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { groupId, legs, tags } = at(ledger.pairs, choice.position);
    const refusal = choice.isStale
      ? { status: 409, code: 'VERSION_CONFLICT' }
      : refusalOfVoided((legs[0] as Entry).record);
    const request = {
      methodAndPath: `POST /v1/financial/transfers/${groupId}/void`,
      headers: { 'If-Match': choice.isStale ? (tags.at(-2) ?? '"never"') : (tags.at(-1) ?? '') },
      body: {},
    };
    const { data, headers } = await api.write(ledger, request, refusal);
    if (refusal === undefined) {
      const etag = headers.get('ETag') ?? '';
      expect(tags).not.toContain(etag);
      tags.push(etag);
      for (const [index, entry] of legs.entries()) {
        const own = await api.call(`GET /v1/financial/movements/${entry.record.id}`);
        expect(data.movements[index]).toEqual(own.data);
        expect(data.voidedAt).toBe(own.data.voidedAt);
        applyVoid({ entry, data: own.data, etag: own.headers.get('ETag') ?? '' }, ledger);
      }
    }
    await requireSums(ledger, api);
  },
  toString: () => `void transfer ${JSON.stringify(choice)}`,
});

/** Compares the response to a void with the model, and voids the movement in the model. */
function applyVoid({ entry, data, etag }: { entry: Entry; data: Answer['data']; etag: string }, ledger: Ledger): void {
  const after = { version: entry.record.version + 1, voidedAt: data.voidedAt };
  expect(data).toMatchObject({ ...entry.record, ...after });
  expect(data.voidedAt).toBe(data.updatedAt);
  expect(entry.tags).not.toContain(etag);
  entry.tags.push(etag);
  ledger.void(entry, after);
  counts.voids += 1;
}

function refusalOfVoided({ voidedAt }: Entry['record']): Refusal | undefined {
  return voidedAt === null ? undefined : { status: 409, code: 'STATE_CONFLICT', reason: 'voided' };
}

function refusalOf(issues: readonly (string | false)[]): Refusal | undefined {
  const wrong = issues.filter((issue) => issue !== false);
  return wrong.length === 0 ? undefined : { status: 400, code: 'VALIDATION_ERROR', issues: wrong };
}

/** Compares the current balances, the balances on a past day, and the sums of each month with the model. */
async function requireSums(ledger: Ledger, api: LedgerApi): Promise<void> {
  const readBalances = async (query = '') => {
    const rows: { cashboxId: string; balanceDecimal: string }[] = await succeed(
      api.call,
      `GET /v1/financial/balances${query}`,
    );
    return Object.fromEntries(rows.map((row) => [row.cashboxId, row.balanceDecimal]));
  };
  expect(await readBalances()).toEqual(ledger.balances());
  expect(await readBalances(`?asOf=${pastDay}`)).toEqual(ledger.balancesOn(pastDay));
  const months = await succeed(api.call, 'GET /v1/financial/movements/summary?groupBy=month&limit=1000');
  expect(months).toEqual(ledger.summarize('month', {}).rows);
}

const pastDay = '2026-02-28';

/** Returns an item for any position, even beyond the end, so that a command stays valid when fast-check removes earlier commands. */
function at<Item>(items: readonly Item[], position: number): Item {
  return items[position % items.length] as Item;
}
