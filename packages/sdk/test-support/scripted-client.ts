import { type CreateApiKeyInput, FinancialClient, type FinancialClientOptions } from '../src/index.js';
import { type Step, scriptedFetch } from './scripted-fetch.js';
import { SimulatedClock } from './simulated-clock.js';

/** Returns a client with a scripted network and simulated time. Its random numbers come from `script.random` (default: always 0.5). */
export function scriptedClient(
  script: { readonly steps: readonly Step[]; readonly random?: () => number },
  options: FinancialClientOptions = {},
) {
  const clock = new SimulatedClock();
  const { fetch, sent } = scriptedFetch(clock, ...script.steps);
  let keys = 0;
  const createKey = () => {
    keys += 1;
    return `key-${keys}`;
  };
  const internals = { clock, createKey, random: script.random ?? (() => 0.5) };
  const client = new FinancialClient({ token: 'session-token', fetch, ...options, internals });
  return { client, clock, sent };
}

/** The input for a new movement, with only the required fields. */
export const newMovement = {
  type: 'expense',
  amountDecimal: '12.50',
  accountId: '01890000-0000-7000-8000-00000000000a',
} as const;

/** The input for a new API key, with only the required fields. */
export const newApiKey: CreateApiKeyInput = {
  name: 'import',
  scopes: ['movements:write'],
  access: { mode: 'all_managed' },
};
