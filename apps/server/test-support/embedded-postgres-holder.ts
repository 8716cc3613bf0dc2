import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';

// Tests start this program as a child process and kill it. It starts the embedded PostgreSQL, and stops it when stdin ends.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('The data directory is missing.');
const postgres = await startEmbeddedPostgres({ dataDir, durable: false, report: () => {} });
process.stdout.write(`${JSON.stringify(postgres)}\n`);
process.stdin.resume().once('end', () => void postgres.stop());
