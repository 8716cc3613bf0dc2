/** Builders of the records of a tracker. Each returns a complete record: the given properties, and defaults for all others. */

import type * as contracts from '@centavo/contracts';
import type { Account, Cashbox, Category, Context, Invitation, Member, Tracker } from '@centavo/contracts';
import { scopes } from '@centavo/contracts/calls';
import type { Balance } from '../money/record-types.js';
import { anId, sharedClientId, sharedMoment, sharedTrackerId, sharedUserId } from './an-id.js';

const times = { createdAt: sharedMoment, updatedAt: sharedMoment };

/**
 * Returns a tracker. By default, its currency is EUR and the role of the caller is `owner`.
 * @example
 * import { aTracker } from '@centavo/sdk/testing';
 *
 * const club = aTracker({ name: 'Chess club', role: 'viewer' });
 */
export function aTracker(fields: Partial<Tracker> = {}): Tracker {
  return {
    id: sharedTrackerId,
    name: 'Home',
    role: 'owner',
    currencyCode: 'EUR',
    timeZone: 'Europe/Madrid',
    isActive: true,
    isDefault: true,
    ...times,
    ...fields,
  };
}

/**
 * Returns a context, as `client.context.get()` returns it. By default, its principal is an API key, and its active tracker is
 * `sharedTrackerId`.
 * @example
 * import { aContext } from '@centavo/sdk/testing';
 *
 * const chosenByHeader = aContext({ resolvedBy: 'header' });
 */
export function aContext(fields: Partial<Context> = {}): Context {
  return {
    activeTrackerId: sharedTrackerId,
    defaultTrackerId: sharedTrackerId,
    resolvedBy: 'single',
    principal: {
      type: 'integration_client',
      id: sharedClientId,
      name: 'import',
      kind: 'secure',
      scopes: [...scopes],
      expiresAt: '2026-05-01T12:00:00.000Z',
    },
    ...fields,
  };
}

/**
 * Returns a member of a tracker.
 * @example
 * import { aMember } from '@centavo/sdk/testing';
 *
 * const accountant = aMember({ displayName: 'Berta', role: 'viewer' });
 */
export function aMember(fields: Partial<Member> = {}): Member {
  return {
    userId: sharedUserId,
    email: 'ana@example.com',
    displayName: 'Ana',
    role: 'owner',
    status: 'active',
    createdAt: sharedMoment,
    registeredAt: sharedMoment,
    ...fields,
  };
}

/**
 * Returns an open invitation to a tracker.
 * @example
 * import { anInvitation } from '@centavo/sdk/testing';
 *
 * const asOwner = anInvitation({ trackerName: 'Household', role: 'owner' });
 */
export function anInvitation(fields: Partial<Invitation> = {}): Invitation {
  return {
    trackerId: sharedTrackerId,
    trackerName: 'Home',
    role: 'editor',
    invitedBy: { userId: sharedUserId, email: 'ana@example.com', displayName: 'Ana' },
    createdAt: sharedMoment,
    expiresAt: '2026-03-02T12:00:00.000Z',
    ...fields,
  };
}

/**
 * Returns an account. By default, its type is `checking` and its `eligibleCashboxCount` is 1.
 * @example
 * import { anAccount } from '@centavo/sdk/testing';
 *
 * const savings = anAccount({ name: 'Savings', type: 'savings' });
 */
export function anAccount(fields: Partial<Account> = {}): Account {
  return {
    id: anId(),
    trackerId: sharedTrackerId,
    name: 'Everyday',
    type: 'checking',
    currencyCode: 'EUR',
    status: 'active',
    eligibleCashboxCount: 1,
    ...times,
    ...fields,
  };
}

/**
 * Returns a cashbox. By default, `isEligible` is true if `status` is `active`, and otherwise false.
 * @example
 * import { aCashbox, anAccount } from '@centavo/sdk/testing';
 *
 * const account = anAccount({ eligibleCashboxCount: 2 });
 * const cashboxes = ['Wallet', 'Jar'].map((name) => aCashbox({ accountId: account.id, name }));
 */
export function aCashbox(fields: Partial<Cashbox> = {}): Cashbox {
  const status = fields.status ?? 'active';
  return {
    id: anId(),
    accountId: anId(),
    trackerId: sharedTrackerId,
    name: 'Everyday',
    currencyCode: 'EUR',
    isEligible: status === 'active',
    status,
    ...times,
    ...fields,
  };
}

/**
 * Returns the balance of one cashbox.
 * @example
 * import { aBalance } from '@centavo/sdk/testing';
 *
 * const overdrawn = aBalance({ balanceDecimal: '-80.00' });
 */
export function aBalance(fields: Partial<contracts.Balance> = {}): Balance {
  const balance: contracts.Balance = {
    accountId: anId(),
    accountName: 'Everyday',
    cashboxId: anId(),
    cashboxName: 'Everyday',
    currencyCode: 'EUR',
    balanceDecimal: '100.00',
    asOf: sharedMoment,
    asOfDate: null,
    ...fields,
  };
  return balance as Balance;
}

/**
 * Returns a category. By default, it is an expense category of the tracker `sharedTrackerId`.
 * @example
 * import { aCategory } from '@centavo/sdk/testing';
 *
 * const salary = aCategory({ name: 'Salary', kind: 'income' });
 */
export function aCategory(fields: Partial<Category> = {}): Category {
  const scope = fields.scope ?? 'tracker';
  return {
    id: `cat_${anId().replaceAll('-', '')}`,
    name: 'Groceries',
    kind: 'expense',
    scope,
    trackerId: scope === 'tracker' ? sharedTrackerId : null,
    parentId: null,
    isUnknown: false,
    status: 'active',
    ...times,
    ...fields,
  };
}

/**
 * Returns the category `cat_unknown`, which a movement gets if its request names no category.
 * @example
 * import { theUnknownCategory } from '@centavo/sdk/testing';
 *
 * console.log(theUnknownCategory().id); // "cat_unknown"
 */
export function theUnknownCategory(): Category {
  return aCategory({ id: 'cat_unknown', name: 'Desconocido', kind: 'any', scope: 'system', isUnknown: true });
}
