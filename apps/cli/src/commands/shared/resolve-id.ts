/**
 * These functions resolve names on the command line to ids or records. A function that returns an id sends no request for a
 * text that has the form of an id.
 */
import { isCategoryId, isUuid } from '@centavo/contracts/calls';
import {
  type Credential,
  type FinancialClient,
  type Invitation,
  isNotFoundError,
  isPermissionError,
  type Member,
  type Tracker,
} from '@centavo/sdk';
import type { Connection } from '../../client/connect.js';
import type { Settings } from '../../config/settings.js';
import { UnknownNameError, UsageError } from '../../errors.js';
import { chooseByName, matchByName, type NamedRecord } from './choose-by-name.js';

/**
 * Returns the id of an account.
 * @throws UnknownNameError (exit 5), UsageError (exit 2) as `chooseByName` does. The other functions of this file that
 *   resolve a name throw these errors too
 */
export async function requireAccountId(client: FinancialClient, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const { data: accounts } = await client.accounts.list();
  const records = accounts.map((account) => ({ ...account, detail: `${account.type}, ${account.currencyCode}` }));
  return chooseByName({ noun: 'account', wanted, records }).id;
}

export async function requireCategoryId(client: FinancialClient, wanted: string): Promise<string> {
  if (looksLikeCategoryId(wanted)) return wanted;
  const { data: categories } = await client.categories.list();
  const records = categories.map((category) => ({ ...category, detail: `${category.kind}, ${category.scope}` }));
  return chooseByName({ noun: 'category', wanted, records }).id;
}

/** Returns the id of a cashbox. @param accountId the account of the cashbox; if undefined, all accounts are searched */
export async function requireCashboxId(
  client: FinancialClient,
  wanted: string,
  accountId?: string | undefined,
): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const records: readonly NamedRecord[] =
    accountId === undefined
      ? (await client.accounts.balances()).data.map(({ cashboxId, cashboxName, accountName }) => ({
          id: cashboxId,
          name: cashboxName,
          aliases: [`${accountName}/${cashboxName}`],
          detail: `in ${accountName}`,
        }))
      : (await client.accounts.cashboxes(accountId)).data;
  return chooseByName({ noun: 'cashbox', wanted, records }).id;
}

export async function requireTrackerId(client: FinancialClient, wanted: string): Promise<string> {
  return isUuid(wanted) ? wanted : (await requireTracker(client, wanted)).id;
}

/**
 * Returns the tracker with this name or id. If the user is only invited to it, the error advises the user to accept the invitation.
 * @throws UnknownNameError (exit 5), UsageError (exit 2) as `chooseByName` does
 */
export async function requireTracker(client: FinancialClient, wanted: string): Promise<Tracker> {
  const { data: trackers } = await client.trackers.list();
  const records = trackers.map((tracker) => ({
    ...tracker,
    detail: `${tracker.role}, ${tracker.currencyCode}`,
    tracker,
  }));
  try {
    return chooseByName({ noun: 'tracker', wanted, records, remedyIfNone: noTrackerRemedy }).tracker;
  } catch (error) {
    if (!(error instanceof UnknownNameError)) throw error;
    const [invitation] = matchByName(wanted, (await findInvitations(client)).map(toNamedRecord));
    if (invitation === undefined) throw error;
    const command = `centavo invitations accept ${toShellWord(invitation)}`;
    throw new UnknownNameError(error.message, `You are invited to "${invitation.name}". To accept: ${command}`);
  }
}

/** Returns the open invitations of the user; an empty list for an API key or an older server without invitations. */
export async function findInvitations(client: FinancialClient): Promise<readonly Invitation[]> {
  try {
    return (await client.invitations.list()).data;
  } catch (error) {
    if (isNotFoundError(error) || isPermissionError(error)) return [];
    throw error;
  }
}

/** Returns an open invitation of the user. @param wanted the id or the name of the tracker that the user is invited to */
export async function requireInvitation(client: FinancialClient, wanted: string): Promise<Invitation> {
  const { data: invitations } = await client.invitations.list();
  const records = invitations.map(toNamedRecord);
  if (isUuid(wanted) && matchByName(wanted, records).length === 0) {
    throw new UnknownNameError(
      `There is no open invitation to the tracker ${wanted}.`,
      'See "centavo invitations list".',
    );
  }
  return chooseByName({ noun: 'invitation', wanted, records, remedyIfNone: 'You have no open invitation.' }).invitation;
}

function toNamedRecord(invitation: Invitation) {
  const { trackerId, trackerName, role, invitedBy } = invitation;
  const detail = `${role}, by ${invitedBy.email ?? invitedBy.displayName ?? invitedBy.userId}`;
  return { id: trackerId, name: trackerName, detail, invitation };
}

/**
 * Returns the name of a tracker as one word for the shell, in quotes if necessary. If a shell may interpret a character of
 * the name even in quotes, returns the id instead. The reason is security: another user may have chosen the name, and the
 * user may paste the printed command into a shell.
 */
export function toShellWord({ id, name }: { id: string; name: string }): string {
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u.test(name)) return name;
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.,&()'-]*$/u.test(name) ? `"${name}"` : id;
}

/**
 * Returns the id of the tracker that the settings name, or of the active tracker if they name none. The id is needed for
 * operations with a tracker id in their path.
 */
export async function requireCurrentTrackerId({
  connection,
  settings,
}: {
  readonly connection: Connection;
  readonly settings: Settings;
}): Promise<string> {
  if (settings.tracker !== undefined) return requireTrackerId(connection.client, settings.tracker);
  const { activeTrackerId } = await connection.client.context.get();
  if (activeTrackerId !== null) return activeTrackerId;
  throw new UsageError(
    'No tracker is set, and none is active.',
    'Add --tracker, or choose one with "centavo trackers use".',
  );
}

/** Returns the currency of the tracker in which the requests of the client act, as an ISO 4217 code. */
export async function requireTrackerCurrency(client: FinancialClient): Promise<string> {
  const [{ activeTrackerId }, { data: trackers }] = await Promise.all([client.context.get(), client.trackers.list()]);
  const tracker = trackers.find(({ id }) => id === activeTrackerId);
  if (tracker !== undefined) return tracker.currencyCode;
  throw new UsageError('No tracker is active, so there is no default currency.', 'Add --currency.');
}

export async function requireMemberId(client: FinancialClient, trackerId: string, wanted: string): Promise<string> {
  return isUuid(wanted) ? wanted : (await requireMember(client, trackerId, wanted)).userId;
}

/** Returns a member of a tracker. @param wanted an id, an e-mail address, or the display name */
export async function requireMember(client: FinancialClient, trackerId: string, wanted: string): Promise<Member> {
  const { data: members } = await client.trackers.listMembers(trackerId);
  const records = members.map((member) => {
    const { userId, email, displayName, role } = member;
    return {
      id: userId,
      name: email ?? displayName ?? userId,
      aliases: displayName === null ? [] : [displayName],
      detail: [displayName, role].filter((text) => text !== null).join(', '),
      member,
    };
  });
  return chooseByName({ noun: 'member', wanted, records }).member;
}

/** Returns the id of a budget. @param wanted an id, a name, or a month in its period, `YYYY-MM` */
export async function requireBudgetId(client: FinancialClient, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const { data: budgets } = await client.budgets.list();
  const records = budgets.map(({ id, name, periodStart, periodEnd, status }) => ({
    id,
    name,
    aliases: monthsWithin(wanted, { periodStart, periodEnd }),
    detail: `${periodStart} to ${periodEnd}, ${status}`,
  }));
  return chooseByName({ noun: 'budget', wanted, records }).id;
}

/** Returns the API key or integration client whose id or name is `wanted`, or whose secret ends with `wanted` (four characters). */
export function chooseCredential(
  credentials: readonly Credential[],
  { noun, wanted }: { noun: string; wanted: string },
): Credential {
  const records = credentials.map((credential) => ({
    id: credential.clientId,
    name: credential.name,
    status: credential.status,
    aliases: [credential.secretLast4],
    detail: `secret ends in ${credential.secretLast4}, ${credential.status}, created ${credential.createdAt.slice(0, 10)}`,
    credential,
  })) satisfies readonly NamedRecord[];
  return chooseByName({ noun, wanted, records, remedyIfNone: `You have no ${noun} yet.` }).credential;
}

/** The remedy for a user without a tracker. */
export const noTrackerRemedy =
  'There is no tracker yet. Create one with "centavo trackers create NAME --currency EUR".';

/**
 * Returns whether a text is a category id rather than a name. The server's ids begin with `cat_`. The contract also allows
 * ids without this prefix, but they cannot be distinguished from names, so such a text counts as a name.
 */
export function looksLikeCategoryId(text: string): boolean {
  return text.startsWith('cat_') && isCategoryId(text);
}

/** Returns `[month]` if at least one day of the month is in the period of the budget. If not, returns an empty list. */
function monthsWithin(month: string, period: { periodStart: string; periodEnd: string }): readonly string[] {
  const isInside = period.periodStart.slice(0, 7) <= month && month <= period.periodEnd.slice(0, 7);
  return /^\d{4}-\d{2}$/.test(month) && isInside ? [month] : [];
}

/**
 * Returns a map from the id of each record in a list to its name. If the credential may not read the list, the map is empty, and the
 * output shows ids instead of names.
 */
export async function namesOf(
  list: PromiseLike<{ data: readonly { id: string; name: string }[] }>,
): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map((await list).data.map(({ id, name }) => [id, name]));
  } catch (error) {
    if (isPermissionError(error)) return new Map();
    throw error;
  }
}
