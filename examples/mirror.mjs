/**
 * Copies all movements of a tracker to a SQLite file, and then keeps the file up to date. You may kill the program at any time: the next
 * run continues from the stored position in the change feed.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal; an API key needs the scopes changes:read and movements:read
 *   node examples/mirror.mjs [file]
 *
 * In your own project, run `npm install @centavo/sdk libsql`, and import from '@centavo/sdk'. You can replace libsql with better-sqlite3
 * or, from Node 22.5 on, with `DatabaseSync` of node:sqlite: both have the functions that this program uses.
 */
import Database from 'libsql';
import { FinancialClient, isCursorDivergedError, isCursorExpiredError } from '../packages/sdk/dist/index.js';

const database = new Database(process.argv[2] ?? 'mirror.sqlite');
database.exec('create table if not exists movements (id text primary key, record text not null)');
database.exec('create table if not exists position (id integer primary key check (id = 1), cursor text not null)');
const readPosition = database.prepare('select cursor from position');
const storePosition = database.prepare('insert or replace into position values (1, ?)');
const storeMovement = database.prepare('insert or replace into movements values (?, ?)');

const controller = new AbortController();
const { signal } = controller;
process.once('SIGINT', () => controller.abort());
const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN, baseUrl: process.env.CENTAVO_BASE_URL });

while (!signal.aborted) {
  const position = /** @type {{ cursor: string } | undefined} */ (readPosition.get());
  try {
    const after = position?.cursor ?? (await readAll());
    console.log(`Following the changes after ${after}`);
    const resourceTypes = /** @type {const} */ (['movement', 'transfer']);
    for await (const { change, cursor } of client.changes.follow({ after, include: 'record', resourceTypes, signal })) {
      // One transaction stores the record and the new position together: after a crash, the file has both of them or neither.
      inTransaction(() => {
        storeRecord(change.record);
        storePosition.run(cursor);
      });
      console.log(`${change.sequence} ${change.type} ${change.resource.id}`);
    }
  } catch (error) {
    if (signal.aborted) break;
    // The server was restored from a backup, or has removed changes that this file lacks. The movements in the file may be wrong.
    if (!isCursorDivergedError(error) && !isCursorExpiredError(error)) throw error;
    console.log(`Starting again: ${error.reason}`);
    database.exec('delete from position');
  }
}
database.close();

/**
 * Replaces the movements in the file with those of the server. Returns the position that the feed had before the read, so that no
 * change is missed.
 */
async function readAll() {
  const { meta } = await client.changes.list({ from: 'now' }, { signal }).withResponse();
  const cursor = meta?.feed?.cursor;
  if (cursor === undefined) throw new Error('The response has no cursor');
  /** @type {import('../packages/sdk/dist/index.js').Movement[]} */
  const movements = [];
  for await (const movement of client.movements.list({ includeVoided: true, limit: 200 }, { signal })) {
    movements.push(movement);
  }
  inTransaction(() => {
    database.exec('delete from movements');
    for (const movement of movements) storeRecord(movement);
    storePosition.run(cursor);
  });
  console.log(`Read ${movements.length} movements`);
  return cursor;
}

/**
 * Stores a movement, or both movements of a transfer. A second call with the same record changes nothing.
 * @param {import('../packages/sdk/dist/index.js').Change['record']} record null if the key may not read it
 */
function storeRecord(record) {
  if (record === null) return;
  if ('movements' in record) for (const movement of record.movements) storeRecord(movement);
  else storeMovement.run(record.id, JSON.stringify(record));
}

/** @param {() => void} write */
function inTransaction(write) {
  database.exec('begin immediate');
  try {
    write();
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
