import type { CallOptions, FinancialClient } from '@centavo/sdk';
import { connectWithoutToken } from '../../client/connect.js';
import { listProfileNames } from '../../config/profiles.js';
import type { GlobalFlags } from '../../config/settings.js';
import type { Io } from '../../io.js';
import { createContext } from '../shared/context.js';
import type { Suggestion } from './suggest.js';

/** A short timeout and no retries, because the user waits for the completion. */
const callLimits: CallOptions = { timeoutMs: 2000, maxRetries: 0 };

/**
 * Returns the names of one kind of record: profiles of this machine, or records on the server. The typed flags and the
 * settings select the server and the tracker.
 * @param options.kind the kind as the help names it, such as `account`; for an unknown kind, returns an empty list
 * @throws an error if the settings are invalid or a request fails; the completion prints no error
 */
export async function listNames(
  io: Io,
  { kind, flags }: { kind: string; flags: GlobalFlags },
): Promise<readonly Suggestion[]> {
  if (kind === 'profile') return toSuggestions(await listProfileNames(io.env));
  const list = lists[kind];
  if (list === undefined) return [];
  const context = await createContext(io, flags);
  // Reading the names may renew the session. If the process ends before the response to the renewal arrives, the session can
  // be lost. So a request without a credential first checks that the server responds.
  const anonymous = connectWithoutToken(context.settings, io);
  await anonymous.request({ method: 'GET', path: '/health/live', ...callLimits });
  return preferNames(await list(await context.clientInTracker()));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const lists: Readonly<Record<string, (client: FinancialClient) => Promise<readonly Named[]>>> = {
  account: async (client) => (await client.accounts.list(callLimits)).data,
  tracker: async (client) => (await client.trackers.list(callLimits)).data,
  invitation: async (client) =>
    (await client.invitations.list(callLimits)).data.map(({ trackerId: id, trackerName: name }) => ({ id, name })),
  category: async (client) => (await client.categories.list(callLimits)).data,
  budget: async (client) => (await client.budgets.list({}, callLimits)).data,
  webhook: async (client) => (await client.webhooks.list(callLimits)).data.map(({ id, url: name }) => ({ id, name })),
  cashbox: async (client) =>
    (await client.accounts.balances(callLimits)).data.map(({ cashboxId: id, cashboxName: name }) => ({ id, name })),
};

/** Suggests the name of a record if it is unique, otherwise the id, because commands reject ambiguous names. */
function preferNames(records: readonly Named[]): readonly Suggestion[] {
  return records.map(({ id, name }) => {
    const isSingle = records.filter((other) => other.name === name).length === 1;
    return isSingle ? { value: name, description: id } : { value: id, description: name };
  });
}

function toSuggestions(values: readonly string[]): readonly Suggestion[] {
  return values.map((value) => ({ value, description: '' }));
}
