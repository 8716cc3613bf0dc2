import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';

// This process only starts the embedded PostgreSQL. Tests start it as a child and kill it. At the end of its input, it stops PostgreSQL.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('The data directory is missing.');
const postgres = await startEmbeddedPostgres({ dataDir, durable: false, report: () => {} });
process.stdout.write(`${JSON.stringify(postgres)}\n`);
process.stdin.resume().once('end', () => void postgres.stop());
