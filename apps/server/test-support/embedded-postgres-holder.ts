import { startEmbeddedPostgres } from '../src/embedded-postgres/index.js';

// A server process reduced to its hold on PostgreSQL: tests start it as a child and kill it. It leaves in order when its input ends.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('The data directory is missing.');
const postgres = await startEmbeddedPostgres({ dataDir, durable: false, say: () => {} });
process.stdout.write(`${JSON.stringify(postgres)}\n`);
process.stdin.resume().once('end', () => void postgres.stop());
