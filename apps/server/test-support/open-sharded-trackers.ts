import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { applyShardingRules } from '../src/database/sharding/apply-sharding-rules.js';
import { openTwoTrackers, type TwoTrackers } from './open-two-trackers.js';

/** Two trackers in a database with the policies and functions of a sharded database. */
export interface ShardedTrackers extends TwoTrackers {
  /** Applies the policies and functions again, in one transaction. */
  readonly applyInOneTransaction: () => Promise<void>;
  /** Returns the first column of the rows that `sql` returns. */
  readonly namesOf: (sql: string, values?: unknown[]) => Promise<unknown[]>;
}

const directory = fileURLToPath(new URL('../sharding', import.meta.url));

/** Creates both trackers in a new database without Citus. */
export async function openShardedTrackers(): Promise<ShardedTrackers> {
  const trackers = await openTwoTrackers({ prepare: applyRules });
  const { client } = trackers;
  return {
    ...trackers,
    applyInOneTransaction: () => applyRules(client),
    async namesOf(sql, values = []) {
      const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
      return rows.map(([name]) => name);
    },
  };
}

async function applyRules(client: pg.Client): Promise<void> {
  await client.query('begin');
  await applyShardingRules(client, { directory });
  await client.query('commit');
}
