import { expect } from 'vitest';
import { type Cashbox, type Currency, decimalOf, type Entry, findUnits, type Ledger, type Refusal } from './ledger.js';
import { asked, type LedgerApi } from './ledger-api.js';
import type { Command } from './ledger-questions.js';
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
      ledger.cashboxes.push({ id, accountId: account.id, currencyCode, balance: BigInt(openingUnits), isActive: true });
    }
    await requireBalances(ledger, api);
  },
  toString: () => `open ${JSON.stringify(opening)}`,
});

/** Archives or reactivates a cashbox. */
export const turnCashbox = (position: number): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const cashbox = at(ledger.cashboxes, position);
    const status = cashbox.isActive ? 'archived' : 'active';
    await succeed(api.call, `PATCH /v1/financial/cashboxes/${cashbox.id}`, { body: { status } });
    cashbox.isActive = !cashbox.isActive;
    await requireBalances(ledger, api);
  },
  toString: () => `turn cashbox ${position}`,
});

export const addCategory = (body: { name: string; kind: 'expense' | 'income' | 'any' }): Command => ({
  check: () => true,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const isTaken = ledger.categories.some(({ name }) => name.toLowerCase() === body.name.toLowerCase());
    const refusal = isTaken ? { status: 409, code: 'STATE_CONFLICT', reason: 'name_taken' } : undefined;
    const request = { methodAndPath: 'POST /v1/financial/categories', body: body };
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
  /** Several are sent at once, so that they get the same `createdAt`. */
  readonly times: number;
}

export const recordMovements = (choice: MovementChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { type, amountDecimal, occurredOn, description, isCashboxNamed } = choice;
    const cashbox = at(ledger.cashboxes, choice.cashbox);
    const category = at(ledger.categories, choice.category);
    const { accountId, currencyCode } = cashbox;
    const named = isCashboxNamed ? { cashboxId: cashbox.id } : {};
    const body = { type, amountDecimal, accountId, ...named, categoryId: category.id, occurredOn, description };
    const chosen = ledger.chooseCashbox(accountId, isCashboxNamed ? cashbox.id : undefined);
    const units = findUnits(amountDecimal, currencyCode);
    const refusal = refusalOf([
      units === undefined && 'AMOUNT_PRECISION',
      category.kind !== 'any' && category.kind !== type && 'CATEGORY_NOT_USABLE',
      typeof chosen === 'string' && chosen,
    ]);
    const request = { methodAndPath: 'POST /v1/financial/movements', body };
    const answers = await Promise.all(Array.from({ length: choice.times }, () => api.write(ledger, request, refusal)));
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
        version: 1,
      };
      expect(data).toMatchObject(expected);
      ledger.add({
        record: { ...expected, id: data.id, createdAt: data.createdAt },
        tags: [headers.get('ETag') ?? ''],
      });
    }
    await requireBalances(ledger, api);
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
    const { data } = await api.write(ledger, { methodAndPath: 'POST /v1/financial/transfers', body }, refusal);
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
        version: 1,
      };
      expect(data.movements[leg]).toMatchObject(expected);
      const { id, createdAt } = data.movements[leg];
      const { headers } = await api.call(`GET /v1/financial/movements/${id}`);
      ledger.add({ record: { ...expected, id, createdAt }, tags: [headers.get('ETag') ?? ''] });
    }
    await requireBalances(ledger, api);
  },
  toString: () => `transfer ${JSON.stringify(choice)}`,
});

interface CorrectionChoice {
  readonly movement: number;
  readonly patch: { amountDecimal?: string; description?: string | null; merchantName?: string | null };
  readonly category: number | undefined;
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
    const refusal = !tags.includes(current)
      ? { status: 409, code: 'VERSION_CONFLICT' }
      : record.kind === 'transfer'
        ? { status: 409, code: 'STATE_CONFLICT', reason: 'transfer_leg' }
        : refusalOf([
            units === undefined && 'AMOUNT_PRECISION',
            isOtherKind && category.id !== record.categoryId && 'CATEGORY_NOT_USABLE',
          ]);
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
    asked.corrections += 1;
    const etag = headers.get('ETag') ?? '';
    if (isChanged) {
      expect(entry.tags).not.toContain(etag);
      entry.tags.push(etag);
    } else expect(etag).toBe(current);
    await requireBalances(ledger, api);
  },
  toString: () => `correct ${JSON.stringify(choice)}`,
});

function refusalOf(issues: readonly (string | false)[]): Refusal | undefined {
  const wrong = issues.filter((issue) => issue !== false);
  return wrong.length === 0 ? undefined : { status: 400, code: 'VALIDATION_ERROR', issues: wrong };
}

async function requireBalances(ledger: Ledger, api: LedgerApi): Promise<void> {
  const rows: { cashboxId: string; balanceDecimal: string }[] = await succeed(api.call, 'GET /v1/financial/balances');
  expect(Object.fromEntries(rows.map((row) => [row.cashboxId, row.balanceDecimal]))).toEqual(ledger.balances());
}

/** Returns an item for any number, so that a command stays valid when earlier commands are removed. */
function at<Item>(items: readonly Item[], position: number): Item {
  return items[position % items.length] as Item;
}
