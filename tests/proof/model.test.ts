import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { callsTo } from '../acceptance/support/call-api.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { Ledger } from './support/ledger.js';
import { counts, LedgerApi } from './support/ledger-api.js';
import { readPages } from './support/ledger-checks.js';
import { ledgerCommands } from './support/ledger-commands.js';
import { openAccount } from './support/ledger-writes.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { registerUser, succeed } from './support/tenants.js';

const runs = isLong ? 3_000 : 15;
// The maximum number of commands in a run. On average a run has half as many.
const commandsMax = isLong ? 80 : 60;
// A new user takes over after this number of runs, because a token is valid for only a quarter of an hour and a user can have only a
// limited number of trackers.
const runsPerUser = 50;

const sandbox = openSandbox();
let servers: Server[];

// Requests alternate between two processes, so that each process must read the writes of the other.
beforeAll(async () => {
  const dataDir = sandbox.newDataDir();
  servers = [await sandbox.startServer({ dataDir }), await sandbox.startServer({ dataDir })];
});

it('the server responds to random sequences of operations like an in-memory model of the ledger', async () => {
  let runCount = 0;
  let commandCount = 0;
  let headers: Readonly<Record<string, string>> = {};
  const newTracker = async () => {
    const origin = servers[0]?.origin ?? '';
    if (runCount % runsPerUser === 0) ({ headers } = await registerUser(origin));
    runCount += 1;
    const { id } = await succeed(callsTo(origin, headers), 'POST /v1/financial/trackers', {
      body: { name: `Run ${runCount}`, currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
    });
    return servers.map((server) => callsTo(server.origin, { ...headers, 'X-Service-Tracker-Id': id }));
  };

  const property = fc.asyncProperty(ledgerCommands(commandsMax), async (commands) => {
    const real = new LedgerApi(await newTracker());
    const model = new Ledger();
    for (const cashboxes of [1, 2]) {
      await openAccount({ currencyCode: 'EUR', openingUnits: 0, cashboxes }).run(model, real);
    }
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await readPages({ limits: [3, 1, 2], isByAccount: false, cashbox: 0 }).run(model, real);
    commandCount += [...commands].length;
  });
  const result = await fc.check(property, {
    ...{ seed: proofSeed, numRuns: runs, unbiased: true },
    // A long run ends early when its time is used up.
    ...(isLong ? { interruptAfterTimeLimit: 0.85 * proofMsMax - performance.now() } : {}),
  });

  await recordProof({
    id: 'T7',
    promise: 'For any sequence of operations, the API returns the same results as an in-memory model of the ledger',
    seed: proofSeed,
    injected: { runs: result.numRuns, commands: commandCount, ...counts },
    violations: { 'runs that differ from the model': result.failed ? 1 : 0 },
  });
  expect(result.failed, `${fc.defaultReportMessage(result)}\n${result.failed ? result.errorInstance : ''}`).toBe(false);
});
