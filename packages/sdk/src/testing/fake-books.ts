import type * as contracts from '@centavo/contracts';
import type { Account, Cashbox, Category, Tracker } from '@centavo/contracts';
import { formatAmount, fromMinorUnits, toMinorUnits } from '@centavo/contracts/calls';
import type { Balance, Movement, Transfer } from '../money/record-types.js';
import { anId } from './an-id.js';
import { aCashbox, aCategory, aTracker, theUnknownCategory } from './book-records.js';
import { FakeRefusal, invalid, notFound } from './fake-refusal.js';
import { type Body, requireMoneyOf, textOrNull } from './fake-requests.js';
import { aMovement, aTransfer } from './money-records.js';

/** The initial records of the fake server. It creates one cashbox for each account without cashboxes, as the real server does. */
export interface FakeBooksSeed {
  readonly tracker?: Tracker | undefined;
  readonly accounts?: readonly Account[] | undefined;
  readonly cashboxes?: readonly Cashbox[] | undefined;
  /** Categories in addition to the category of movements without a category (`cat_unknown`), which always exists. */
  readonly categories?: readonly Category[] | undefined;
  readonly movements?: readonly contracts.Movement[] | undefined;
}

/** Holds the records of one tracker in memory, and applies the most common rules of the server to them. */
export class FakeBooks {
  readonly tracker: Tracker;
  readonly accounts: readonly Account[];
  readonly cashboxes: readonly Cashbox[];
  readonly categories: Category[];
  readonly movements: Movement[];
  readonly transfers: Transfer[] = [];
  readonly #now: () => Date;

  constructor(seed: FakeBooksSeed, now: () => Date) {
    const { tracker = aTracker(), accounts = [], cashboxes = [], categories = [], movements = [] } = seed;
    this.tracker = tracker;
    const withoutCashbox = accounts.filter(({ id }) => !cashboxes.some(({ accountId }) => accountId === id));
    const defaultCashboxes = withoutCashbox.map(({ id, name, currencyCode }) =>
      aCashbox({ accountId: id, name, currencyCode }),
    );
    this.cashboxes = [...cashboxes, ...defaultCashboxes];
    this.accounts = accounts.map((account) => ({
      ...account,
      eligibleCashboxCount: this.#eligible(account.id).length,
    }));
    this.categories = [theUnknownCategory(), ...categories];
    this.movements = movements.map((movement) => movement as Movement);
    this.#now = now;
  }

  cashboxesOf(accountId: unknown): readonly Cashbox[] {
    const { id } = found(this.accounts.find((account) => account.id === accountId));
    return this.cashboxes.filter((cashbox) => cashbox.accountId === id);
  }

  getCategory(categoryId: unknown): Category {
    return found(this.categories.find(({ id }) => id === categoryId));
  }

  createCategory(body: Body): Category {
    const { name, kind, scope, parentId } = body;
    const category = aCategory({
      name: String(name).trim(),
      kind: (kind ?? 'any') as Category['kind'],
      scope: (scope ?? 'tracker') as Category['scope'],
      parentId: textOrNull(parentId),
      trackerId: scope === 'user' ? null : this.tracker.id,
    });
    this.categories.push(category);
    return category;
  }

  getMovement(movementId: unknown): Movement {
    return found(this.movements.find(({ id }) => id === movementId));
  }

  /** Returns a transfer by its id: its `groupId`, which is also the `transferGroupId` of its two movements. */
  getTransfer(groupId: unknown): Transfer {
    return found(this.transfers.find((transfer) => transfer.groupId === groupId));
  }

  /** Records an expense or income. Omitted fields get the default values of the specification. */
  createMovement(body: Body): Movement {
    const account = this.#account(body.accountId);
    const cashboxId = this.#cashbox(account, body.cashboxId, 'cashboxId');
    requireMoneyOf(account.currencyCode, body);
    const movement = this.#newMovement({
      type: body.type as Movement['type'],
      amountDecimal: formatAmount(String(body.amountDecimal), account.currencyCode),
      currencyCode: account.currencyCode,
      accountId: account.id,
      cashboxId,
      categoryId: this.#categoryId(body.categoryId),
      occurredOn: this.#dayOf(body),
      description: textOrNull(body.description),
      merchantName: textOrNull(body.merchantName),
    });
    this.movements.push(movement);
    return movement;
  }

  /** Corrects a movement if `ifMatch` is its ETag. A patch that changes nothing does not increment the version. */
  correctMovement(movementId: unknown, body: Body, ifMatch: string | null): Movement {
    if (ifMatch === null) {
      throw invalid({ path: 'header.If-Match', code: 'IF_MATCH_REQUIRED', message: 'Send the ETag in If-Match.' });
    }
    if (Object.keys(body).length === 0) {
      throw invalid({ path: '', code: 'EMPTY_PATCH', message: 'Send at least one field.' });
    }
    const current = this.getMovement(movementId);
    if (current.kind === 'transfer') throw new FakeRefusal('STATE_CONFLICT', { details: { reason: 'transfer_leg' } });
    const currentEtag = etagOf(current);
    if (ifMatch !== currentEtag) throw new FakeRefusal('VERSION_CONFLICT', { details: { currentEtag } });
    requireMoneyOf(current.currencyCode, body);
    const { amountDecimal, categoryId, description, merchantName } = body;
    return this.change(current.id, {
      ...(typeof amountDecimal === 'string' && { amountDecimal: formatAmount(amountDecimal, current.currencyCode) }),
      ...(categoryId !== undefined && { categoryId: this.#categoryId(categoryId) }),
      ...(description !== undefined && { description: textOrNull(description) }),
      ...(merchantName !== undefined && { merchantName: textOrNull(merchantName) }),
    });
  }

  /** Changes fields of a movement. Increments its version if at least one new value differs from the current value. */
  change(movementId: string, fields: Partial<contracts.Movement>): Movement {
    const current = this.getMovement(movementId);
    const changed = Object.entries(fields).some(([name, value]) => current[name as keyof Movement] !== value);
    if (!changed) return current;
    const next = {
      ...current,
      ...fields,
      version: current.version + 1,
      updatedAt: this.#now().toISOString(),
    } as Movement;
    this.movements[this.movements.indexOf(current)] = next;
    return next;
  }

  createTransfer(body: Body): Transfer {
    const from = this.#account(body.fromAccountId);
    const to = this.#account(body.toAccountId);
    const fromCashboxId = this.#cashbox(from, body.fromCashboxId, 'fromCashboxId');
    const toCashboxId = this.#cashbox(to, body.toCashboxId, 'toCashboxId');
    if (from.currencyCode !== to.currencyCode) {
      throw invalid({
        path: 'toAccountId',
        code: 'CURRENCY_MISMATCH',
        message: 'The two accounts have different currencies.',
      });
    }
    if (fromCashboxId === toCashboxId) {
      throw invalid({ path: 'toCashboxId', code: 'SAME_SOURCE_AND_DESTINATION', message: 'Name another cashbox.' });
    }
    requireMoneyOf(from.currencyCode, body);
    const transfer = aTransfer({
      trackerId: this.tracker.id,
      amountDecimal: formatAmount(String(body.amountDecimal), from.currencyCode),
      currencyCode: from.currencyCode,
      occurredOn: this.#dayOf(body),
      description: textOrNull(body.description),
      from: { accountId: from.id, cashboxId: fromCashboxId, movementId: anId() },
      to: { accountId: to.id, cashboxId: toCashboxId, movementId: anId() },
      createdAt: this.#now().toISOString(),
    });
    this.movements.push(...transfer.movements);
    this.transfers.push(transfer);
    return transfer;
  }

  /**
   * Returns the balance of each cashbox whose `isEligible` is true. A balance is the sum of all incomes minus the sum of all
   * expenses of the cashbox. There is no opening balance, and voided movements do not count.
   */
  balances(): readonly Balance[] {
    return this.cashboxes
      .filter(({ isEligible }) => isEligible)
      .map((cashbox) => {
        const account = this.#account(cashbox.accountId);
        const minorUnits = this.movements
          .filter(({ cashboxId, voidedAt }) => cashboxId === cashbox.id && voidedAt === null)
          .map(({ type, amountDecimal, currencyCode }) => toMinorUnits(amountDecimal, currencyCode) * signOf(type))
          .reduce((sum, amount) => sum + amount, 0n);
        return {
          accountId: account.id,
          accountName: account.name,
          cashboxId: cashbox.id,
          cashboxName: cashbox.name,
          currencyCode: cashbox.currencyCode,
          balanceDecimal: fromMinorUnits(minorUnits, cashbox.currencyCode) as Balance['balanceDecimal'],
          asOf: this.#now().toISOString(),
          asOfDate: null,
        };
      });
  }

  #newMovement(fields: Partial<contracts.Movement>): Movement {
    const at = this.#now().toISOString();
    return aMovement({ ...fields, trackerId: this.tracker.id, createdAt: at, updatedAt: at });
  }

  #account(accountId: unknown): Account {
    return found(
      this.accounts.find(({ id }) => id === accountId),
      'account',
    );
  }

  /** Returns the cashboxes of an account that accept new movements (`isEligible`). */
  #eligible(accountId: string): readonly Cashbox[] {
    return this.cashboxes.filter((cashbox) => cashbox.accountId === accountId && cashbox.isEligible);
  }

  /** Returns the id of the cashbox that a request names, or else of the account's only eligible cashbox. Errors name the field `path`. */
  #cashbox(account: Account, named: unknown, path: string): string {
    const eligible = this.#eligible(account.id);
    if (named !== undefined && named !== null) {
      return found(
        eligible.find(({ id }) => id === named),
        'cashbox',
      ).id;
    }
    const [only] = eligible;
    if (only === undefined)
      throw invalid({ path, code: 'NO_ELIGIBLE_CASHBOX', message: 'The account has no active cashbox.' });
    if (eligible.length === 1) return only.id;
    const eligibleCashboxIds = eligible.map(({ id }) => id);
    throw invalid({ path, code: 'CASHBOX_SELECTION_REQUIRED', message: 'Name a cashbox.', eligibleCashboxIds });
  }

  #categoryId(named: unknown): string {
    if (named === undefined || named === null) return theUnknownCategory().id;
    return found(
      this.categories.find(({ id }) => id === named),
      'category',
    ).id;
  }

  #dayOf(body: Body): string {
    return typeof body.occurredOn === 'string' ? body.occurredOn : this.#now().toISOString().slice(0, 10);
  }
}

/** Returns the ETag of the current version of a movement. */
export function etagOf(movement: Movement): string {
  return `"${movement.id}.${movement.version}"`;
}

function signOf(type: Movement['type']): bigint {
  return type === 'income' ? 1n : -1n;
}

function found<Value>(value: Value | undefined, resource?: 'account' | 'cashbox' | 'category'): Value {
  if (value === undefined) throw notFound(resource);
  return value;
}

/** Returns the ETag of a transfer. It changes if the version of either movement changes. */
export function etagOfTransfer({ groupId, movements: [outgoing, incoming] }: Transfer): string {
  return `"${groupId}-${outgoing.version}-${incoming.version}"`;
}
