/** Ids for what people name. A text that is an id already is passed on: the API knows best whether it exists. */
import type { FinancialClient } from '@centavo/sdk';
import { chooseByName } from './choose-by-name.js';

/** @throws UnknownNameError (exit 5), UsageError (exit 2) as `chooseByName` does; so do all of this file */
export async function requireAccountId(client: FinancialClient, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const { data: records } = await client.accounts.list();
  return chooseByName({ noun: 'account', wanted, records }).id;
}

export async function requireCategoryId(client: FinancialClient, wanted: string): Promise<string> {
  if (/^cat_[A-Za-z0-9_-]+$/.test(wanted)) return wanted;
  const { data: records } = await client.categories.list();
  return chooseByName({ noun: 'category', wanted, records }).id;
}

/** @param accountId the account that the cashbox is in; without it all cashboxes are searched */
export async function requireCashboxId(
  client: FinancialClient,
  wanted: string,
  accountId?: string | undefined,
): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const records =
    accountId === undefined
      ? (await client.accounts.balances()).data.map(({ cashboxId, cashboxName }) => ({
          id: cashboxId,
          name: cashboxName,
        }))
      : (await client.accounts.cashboxes(accountId)).data;
  return chooseByName({ noun: 'cashbox', wanted, records }).id;
}

export async function requireTrackerId(client: FinancialClient, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const { data: records } = await client.trackers.list();
  return chooseByName({ noun: 'tracker', wanted, records, remedyIfNone: makeFirstTracker }).id;
}

/** What somebody without any tracker does first. */
export const makeFirstTracker = 'There is none yet: make one with "centavo trackers create NAME --currency EUR".';

/** Whether a text is an id of the API rather than a name. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
