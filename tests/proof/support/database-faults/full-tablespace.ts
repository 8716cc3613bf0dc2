import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asOwner } from '../../../acceptance/support/postgres-of.js';
import type { Fault } from './fault.js';
import { cannotMount, mountSmallDisk, type SmallDisk } from './small-disk.js';

const tables = ['app.movements', 'app.idempotency_keys', 'app.audit_events'];
const megabytes = 64;

/** Moves the growing tables to a disk and fills it. PostgreSQL's write-ahead log is on another disk. */
export function fullTablespace(): Fault {
  let disk: SmallDisk | undefined;
  const moveTables = (connectionString: string, tablespace: string) =>
    asOwner(connectionString, async (owner) => {
      for (const table of tables) await owner.query(`alter table ${table} set tablespace ${tablespace}`);
    });
  return {
    name: 'the disk of the tables is full',
    async begin({ postgres, newFolder }) {
      disk = mountSmallDisk(newFolder(), { megabytes });
      if (disk === undefined) return cannotMount;
      const location = join(disk.folder, 'tables');
      await mkdir(location, { mode: 0o700 });
      await asOwner(postgres.connectionString(), async (owner) => {
        const { rows } = await owner.query<{ data_directory: string }>('show data_directory');
        const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
        await chown(location, uid, gid);
        await owner.query(`create tablespace small location '${location}'`);
      });
      await moveTables(postgres.connectionString(), 'small');
      await disk.fill();
      return undefined;
    },
    async end() {
      await disk?.freeSpace();
    },
    async cleanUp({ postgres }) {
      if (disk === undefined) return;
      await disk.freeSpace();
      await moveTables(postgres.connectionString(), 'pg_default');
      await asOwner(postgres.connectionString(), async (owner) => {
        // PostgreSQL keeps the files of a moved table until the next checkpoint.
        await owner.query('checkpoint');
        await owner.query('drop tablespace small');
      });
      disk.remove();
    },
  };
}
