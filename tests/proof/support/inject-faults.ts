import { connectAsOwner, crashPostgres } from './crash-postgres.js';
import type { Ship } from './fleet.js';
import type { Progress } from './progress.js';
import { chanceOf } from './seeded-chance.js';

/** The number of writes between two faults of a kind, and the share of lost answers. */
export interface Dose {
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

/** Injects faults by the progress of the run, until it ends. @returns the counts, after all servers run again */
export async function sabotage(options: {
  readonly seed: number;
  readonly dose: Dose;
  readonly fleet: readonly [Ship, ...Ship[]];
  readonly connectionString: string;
  readonly progress: Progress;
}): Promise<Injected> {
  const { seed, dose, fleet, connectionString, progress } = options;
  const injected: Injected = { kills: 0, terminatedBackends: 0, lostAnswers: 0, crashesOfPostgres: 0 };
  const chance = (name: string) => chanceOf(seed, name);

  async function inStep(writes: number, inject: () => Promise<void>): Promise<void> {
    for (let turn = 1; await progress.reaches(turn * writes); turn += 1) await inject();
  }
  const whomToSink = chance('whom to sink');
  const whichBackend = chance('which backend');
  for (const [index, { cutter }] of fleet.entries()) {
    const whatArrives = chance(`what arrives of the answers of server ${index}`);
    cutter.cutBy(() => (whatArrives.hits(dose.lostAnswers) ? whatArrives.oneOf(['nothing', 'half']) : null));
  }
  await Promise.all([
    inStep(dose.writesPerKill, async () => {
      await whomToSink.oneOf(fleet).sink();
      injected.kills += 1;
    }),
    inStep(dose.writesPerTermination, async () => {
      injected.terminatedBackends += await terminateBackend(connectionString, whichBackend.next()).catch(() => 0);
    }),
    inStep(dose.writesPerCrash, async () => {
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

/** Ends one connection of the servers, chosen by `share`. Returns 0 if there is none. */
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
