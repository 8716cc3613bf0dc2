import type pg from 'pg';
import { asOwner } from '../../../acceptance/support/postgres-of.js';
import { until } from '../../../acceptance/support/until.js';
import { connectAsOwner } from '../crash-postgres.js';
import type { Fault } from './fault.js';
import type { SmallDisk } from './small-disk.js';

/**
 * Fills the disk that contains the cluster and its write-ahead log. PostgreSQL stops, because it can neither write its
 * log nor recover. At the end the fault frees space and starts PostgreSQL again, as an operator would.
 */
export function fullCluster(disk: SmallDisk): Fault {
  return {
    name: 'the disk of the whole cluster is full',
    async begin({ postgres }) {
      await disk.fill();
      await asOwner(postgres.connectionString(), async (owner) => {
        while ((await countSpareLogFiles(owner)) > 0) await beginLogFile(owner);
        // The next log record needs a new file.
        await beginLogFile(owner);
      });
      return undefined;
    },
    async end({ postgres, proxy }) {
      await until('PostgreSQL has ended', async () => {
        const owner = await connectAsOwner(postgres.connectionString()).catch(() => undefined);
        await owner?.end();
        return owner === undefined;
      });
      await disk.freeSpace();
      await postgres.stop();
      await postgres.start();
      proxy.connectTo(postgres.connectionString());
    },
  };
}

/** Returns the number of write-ahead log files that PostgreSQL has prepared for later use. */
async function countSpareLogFiles(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select count(*)::int as n from pg_ls_waldir() where name > pg_walfile_name(pg_current_wal_lsn())',
  );
  return rows[0]?.n ?? 0;
}

async function beginLogFile(owner: pg.Client): Promise<void> {
  await owner.query(`select pg_logical_emit_message(false, 'full disk', '')`);
  await owner.query('select pg_switch_wal()');
}
