/**
 * Prints balances when they change, and the state of the rate limit. Ctrl-C ends the program at once, even during a request or a wait.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node examples/watch-balances.mjs [rounds] [seconds between them]
 *
 * In your own project, import from '@centavo/sdk'.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FinancialClient,
  fromMinorUnits,
  isPermissionError,
  isRateLimitError,
  toMinorUnits,
} from '../packages/sdk/dist/index.js';

const rounds = Number(process.argv[2] ?? 5);
const pauseMs = Number(process.argv[3] ?? 2) * 1000;
const controller = new AbortController();
const { signal } = controller;
process.once('SIGINT', () => controller.abort());

const client = new FinancialClient({
  token: process.env.CENTAVO_TOKEN,
  baseUrl: process.env.CENTAVO_BASE_URL,
  // A person watches this output: if the server requests a wait of more than 5 seconds, the call fails at once.
  retryAfterMsMax: 5_000,
});

/** @type {Map<string, bigint>} */
const known = new Map();
for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
  try {
    const { data: page, headers } = await client.accounts.balances({ signal }).withResponse();
    for (const { cashboxId, accountName, cashboxName, balanceDecimal, currencyCode } of page.data) {
      const now = toMinorUnits(balanceDecimal, currencyCode);
      const before = known.get(cashboxId);
      known.set(cashboxId, now);
      if (before === now) continue;
      const change =
        before === undefined ? '' : ` (${now > before ? '+' : ''}${fromMinorUnits(now - before, currencyCode)})`;
      console.log(`${accountName} / ${cashboxName}: ${balanceDecimal} ${currencyCode}${change}`);
    }
    console.log(`Round ${round} of ${rounds}; rate limit: ${headers.get('RateLimit') ?? 'none'}`);
    if (round < rounds) await sleep(pauseMs, undefined, { signal });
  } catch (error) {
    if (signal.aborted) break;
    if (isPermissionError(error)) {
      console.error(`${error.message} Use a key that was created with --scope balances:read.`);
      process.exitCode = 1;
      break;
    }
    if (!isRateLimitError(error)) throw error;
    console.error(`The server asks to wait ${error.retryAfterMs} ms`);
    await sleep(error.retryAfterMs ?? 60_000, undefined, { signal }).catch(() => {});
  }
}
