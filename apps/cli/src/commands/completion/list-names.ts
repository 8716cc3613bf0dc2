import type { CallOptions, FinancialClient } from '@centavo/sdk';
import { connectWithoutToken } from '../../client/connect.js';
import { listProfileNames } from '../../config/profiles.js';
import type { GlobalFlags } from '../../config/settings.js';
import type { Io } from '../../io.js';
import { createContext } from '../shared/context.js';
import type { Suggestion } from './suggest.js';

/** Somebody waits with a finger on TAB. */
const patience: CallOptions = { timeoutMs: 2000, maxRetries: 0 };

/**
 * The names of one kind of thing, from the server that the line's flags and the settings name.
 * @param kind as the help calls it: `account`; of what it does not know there are none
 * @throws whatever prevents it; completion keeps silent about that
 */
export async function listNames(
  io: Io,
  { kind, flags }: { kind: string; flags: GlobalFlags },
): Promise<readonly Suggestion[]> {
  if (kind === 'profile') return toSuggestions(await listProfileNames(io.env));
  const list = lists[kind];
  if (list === undefined) return [];
  const context = await createContext(io, flags);
  // The session may have to be renewed, and a renewal must not be cut short: it would lose the session. So a server that
  // does not answer is found out before.
  const anonymous = connectWithoutToken(context.settings, io);
  await anonymous.request({ method: 'GET', path: '/health/live', ...patience });
  return preferNames(await list(await context.clientInTracker()));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const lists: Readonly<Record<string, (client: FinancialClient) => Promise<readonly Named[]>>> = {
  account: async (client) => (await client.accounts.list(patience)).data,
  tracker: async (client) => (await client.trackers.list(patience)).data,
  invitation: async (client) =>
    (await client.invitations.list(patience)).data.map(({ trackerId: id, trackerName: name }) => ({ id, name })),
  category: async (client) => (await client.categories.list(patience)).data,
  budget: async (client) => (await client.budgets.list({}, patience)).data,
  cashbox: async (client) =>
    (await client.accounts.balances(patience)).data.map(({ cashboxId: id, cashboxName: name }) => ({ id, name })),
};

/** The name where it is one thing's, else its id: a name of two would be refused. */
function preferNames(records: readonly Named[]): readonly Suggestion[] {
  return records.map(({ id, name }) => {
    const isSingle = records.filter((other) => other.name === name).length === 1;
    return isSingle ? { value: name, description: id } : { value: id, description: name };
  });
}

function toSuggestions(values: readonly string[]): readonly Suggestion[] {
  return values.map((value) => ({ value, description: '' }));
}
