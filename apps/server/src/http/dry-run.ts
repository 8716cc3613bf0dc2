import { type DryRunEffects, formatAmount, roleReaches } from '@centavo/contracts';
import type { Access } from '../auth/authorize.js';
import { StaleRead, sqlStateOf } from '../database/errors.js';
import type { Transaction } from '../database/transaction.js';
import { type CashboxBalance, listCashboxBalances } from './dry-run.queries.js';
import type { Outcome } from './endpoint.js';

/**
 * Runs a write, and returns its result and its effects on the balances of its tracker. Commits nothing. `run` must also send the statements
 * that a real write sends only at the commit, so that the balances after the write include the effects of these statements. The balances
 * before and after the write are read in one snapshot, so that no concurrent write appears as an effect.
 * @source docs/additions.md, section 1.1
 */
export async function observeEffects<Result>(
  { tx, access }: { readonly tx: Transaction; readonly access: Access },
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly effects: DryRunEffects }> {
  const { tracker } = access;
  if (tracker === null || !mayReadBalances(access)) return { result: await run(), effects: noEffects(access) };
  const before = await listCashboxBalances(tx, tracker.id);
  const result = await run();
  const after = await listCashboxBalances(tx, tracker.id);
  return { result, effects: { balances: compareBalances(before, after) } };
}

/** Returns the effects of a write that changes no balance. `balances` is an empty list, or null if the caller may not read balances. */
export function noEffects(access: Access): DryRunEffects {
  return { balances: mayReadBalances(access) ? [] : null };
}

/**
 * Returns the cashboxes whose balances before and after the write differ, in the order of `after`. New cashboxes are left out, because
 * the real write will generate other ids. Pure.
 */
export function compareBalances(
  before: readonly CashboxBalance[],
  after: readonly CashboxBalance[],
): NonNullable<DryRunEffects['balances']> {
  const balanceBefore = new Map(before.map(({ id, balance }) => [id, balance]));
  return after.flatMap(({ id, currency_code: currencyCode, balance }) => {
    const earlier = balanceBefore.get(id);
    if (earlier === undefined) return [];
    const beforeDecimal = formatAmount(earlier, currencyCode);
    const afterDecimal = formatAmount(balance, currencyCode);
    return beforeDecimal === afterDecimal ? [] : [{ cashboxId: id, currencyCode, beforeDecimal, afterDecimal }];
  });
}

function mayReadBalances({ principal, tracker }: Access): boolean {
  return principal.scopes.includes('balances:read') && (tracker === null || roleReaches(tracker.role, 'viewer'));
}

/**
 * Returns StaleRead for a violated unique constraint, and every other error unchanged. The snapshot of a dry run may be older than a
 * conflicting row that another request has just inserted. StaleRead makes the server retry the dry run. The next attempt sees the row and
 * refuses the write.
 */
export function staleSnapshotOr(error: unknown): unknown {
  const uniqueViolation = '23505';
  return sqlStateOf(error) === uniqueViolation ? new StaleRead() : error;
}

/** Generates ids for a dry run, and recognizes these ids in the result of the dry run. */
export class GeneratedIds {
  readonly #newId: () => string;
  readonly #made = new Set<unknown>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  readonly make = (): string => {
    const id = this.#newId();
    // The id of a category consists of `cat_` and a generated UUID without hyphens. The UUID and the category id are both recognized.
    this.#made.add(id).add(`cat_${id.replaceAll('-', '')}`);
    return id;
  };

  has(value: unknown): boolean {
    return this.#made.has(value);
  }
}

/**
 * Returns the data of a write, with null in place of each value that the write would generate. These values are new ids and references to
 * them, `createdAt` of new records, and `updatedAt` of new or changed records. In a bulk write, records
 * that come from the stored response to an earlier request stay unchanged. Pure.
 * @param write.isCreate true if all records of the result are new
 */
export function hideGenerated(
  { data, effect, items }: Pick<Outcome, 'data' | 'effect' | 'items'>,
  write: { readonly ids: GeneratedIds; readonly isCreate: boolean },
): unknown {
  const hide = (value: unknown, name?: string): unknown => {
    if (items?.replayed.has(value)) return value;
    if (write.ids.has(value)) return null;
    if (name === 'createdAt' && write.isCreate) return null;
    if (name === 'updatedAt' && (effect !== undefined || items !== undefined)) return null;
    if (Array.isArray(value)) return value.map((item) => hide(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, key)]));
  };
  return hide(data);
}
