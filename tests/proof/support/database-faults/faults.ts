import type pg from 'pg';
import { asOwner } from '../../../acceptance/support/postgres-of.js';
import { until } from '../../../acceptance/support/until.js';
import { connectAsOwner } from '../crash-postgres.js';
import { type CashboxLocks, openCashboxLocks } from '../lock-cashboxes.js';
import type { Fault } from './fault.js';
import { fullTablespace } from './full-tablespace.js';

const slowMs = 2_000;

/** Shuts PostgreSQL down, and restarts it on another port. */
function stopped(): Fault {
  return {
    name: 'PostgreSQL is stopped',
    lastsMsWhenLong: 20_000,
    async begin({ postgres }) {
      await postgres.stop();
      return undefined;
    },
    async end({ postgres, proxy }) {
      await postgres.start();
      proxy.connectTo(postgres.connectionString());
    },
  };
}

function blackHole(): Fault {
  return {
    name: 'the network drops all packets to PostgreSQL',
    async begin({ proxy }) {
      proxy.setCondition({ dropsData: true });
      return undefined;
    },
    async end({ proxy }) {
      proxy.setCondition({});
    },
  };
}

function slow(): Fault {
  return {
    name: 'every statement reaches PostgreSQL two seconds late',
    async begin({ proxy }) {
      proxy.setCondition({ delayMs: slowMs });
      return undefined;
    },
    async end({ proxy }) {
      proxy.setCondition({});
    },
  };
}

/** Opens connections until PostgreSQL refuses another connection. */
function noConnectionLeft(): Fault {
  const others: pg.Client[] = [];
  return {
    name: 'PostgreSQL has no connection left',
    async begin({ postgres }) {
      await disconnectServers(postgres.connectionString());
      const takeConnection = async () => {
        const other = await connectAsOwner(postgres.connectionString()).catch(requireTooManyConnections);
        if (other !== undefined) others.push(other);
        return other !== undefined;
      };
      await until('every connection is taken', async () => !(await takeConnection()));
      return undefined;
    },
    async end() {
      await Promise.all(others.splice(0).map((other) => other.end()));
    },
  };
}

function lockHeld(): Fault {
  let locks: CashboxLocks;
  return {
    name: 'another transaction holds the lock of every balance',
    async begin({ postgres, accountIds }) {
      locks = await openCashboxLocks(postgres.connectionString());
      await locks.lock(accountIds);
      return undefined;
    },
    async end() {
      await locks.release();
      await locks.end();
    },
  };
}

/** Makes new connections read-only. They stay read-only after the fault, like connections to a standby. */
function failover(): Fault {
  const change = (connectionString: string, to: string) =>
    asOwner(connectionString, async (owner) => {
      await owner.query('set default_transaction_read_only = off');
      await owner.query(`alter database centavo ${to}`);
    });
  return {
    name: 'every new connection leads to a read-only PostgreSQL',
    async begin({ postgres }) {
      await change(postgres.connectionString(), 'set default_transaction_read_only = on');
      await disconnectServers(postgres.connectionString());
      return undefined;
    },
    async end({ postgres }) {
      await change(postgres.connectionString(), 'reset default_transaction_read_only');
    },
  };
}

/** Simulates the error of a full disk, for machines that cannot mount a small disk. */
function reportedDiskFull(): Fault {
  return {
    name: 'PostgreSQL reports a full disk',
    async begin({ postgres }) {
      await asOwner(postgres.connectionString(), (owner) =>
        owner.query(
          `create function public.raise_disk_full() returns trigger language plpgsql as $$
           begin
             raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
           end $$;
           create trigger full_disk before insert on app.idempotency_keys
             execute function public.raise_disk_full()`,
        ),
      );
      return undefined;
    },
    async end({ postgres }) {
      await asOwner(postgres.connectionString(), (owner) =>
        owner.query('drop function public.raise_disk_full() cascade'),
      );
    },
  };
}

export const faults: readonly Fault[] = [
  stopped(),
  blackHole(),
  slow(),
  noConnectionLeft(),
  lockHeld(),
  failover(),
  reportedDiskFull(),
  fullTablespace(),
];

async function disconnectServers(connectionString: string): Promise<void> {
  await asOwner(connectionString, (owner) =>
    owner.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'centavo-server'`,
    ),
  );
}

function requireTooManyConnections(error: { code?: string }): undefined {
  if (error.code !== '53300') throw error;
}
