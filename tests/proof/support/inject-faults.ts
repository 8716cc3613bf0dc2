import { connectAsOwner, crashPostgres } from './crash-postgres.js';
import type { FleetServer } from './fleet.js';
import type { Progress } from './progress.js';
import { seededRandom } from './seeded-random.js';

/** The number of writes between two faults of a kind, and the share of lost responses. */
export interface FaultRates {
  readonly writesPerKill: number;
  readonly writesPerTermination: number;
  readonly writesPerCrash: number;
  readonly lostAnswers: number;
}

/** The counts of injected faults. */
export interface Injected {
  kills: number;
  terminatedBackends: number;
  lostAnswers: number;
  crashesOfPostgres: number;
}

/** Injects faults after given numbers of writes, until the run ends. @returns the counts, when all servers run again */
export async function injectFaults(options: {
  readonly seed: number;
  readonly rates: FaultRates;
  readonly fleet: readonly [FleetServer, ...FleetServer[]];
  readonly connectionString: string;
  readonly progress: Progress;
}): Promise<Injected> {
  const { seed, rates, fleet, connectionString, progress } = options;
  const injected: Injected = { kills: 0, terminatedBackends: 0, lostAnswers: 0, crashesOfPostgres: 0 };
  const random = (name: string) => seededRandom(seed, name);

  async function afterEvery(writes: number, inject: () => Promise<void>): Promise<void> {
    for (let turn = 1; await progress.waitFor(turn * writes); turn += 1) await inject();
  }
  const serverToKill = random('whom to sink');
  const backendToEnd = random('which backend');
  for (const [index, { cutter }] of fleet.entries()) {
    const arrivingPart = random(`what arrives of the answers of server ${index}`);
    cutter.cutBy(() => (arrivingPart.hits(rates.lostAnswers) ? arrivingPart.oneOf(['nothing', 'half']) : null));
  }
  await Promise.all([
    afterEvery(rates.writesPerKill, async () => {
      await serverToKill.oneOf(fleet).killAndRestart();
      injected.kills += 1;
    }),
    afterEvery(rates.writesPerTermination, async () => {
      injected.terminatedBackends += await terminateBackend(connectionString, backendToEnd.next()).catch(() => 0);
    }),
    afterEvery(rates.writesPerCrash, async () => {
      await crashPostgres(connectionString);
      injected.crashesOfPostgres += 1;
    }),
  ]);
  for (const { cutter } of fleet) {
    cutter.cutBy(() => null);
    injected.lostAnswers += cutter.cutCount();
  }
  return injected;
}

/**
 * Ends one connection of the servers. `share`, from 0 to 1, chooses the connection.
 * @returns the number of ended connections: 1, or 0 if there is none
 */
async function terminateBackend(connectionString: string, share: number): Promise<number> {
  const owner = await connectAsOwner(connectionString);
  try {
    const { rowCount } = await owner.query(
      `with backends as (
         select pid, row_number() over (order by pid) as place, count(*) over () as backends
         from pg_stat_activity where application_name = 'centavo-server'
       )
       select pg_terminate_backend(pid) from backends where place = 1 + floor($1::float8 * backends)`,
      [share],
    );
    return rowCount ?? 0;
  } finally {
    await owner.end();
  }
}
