#!/usr/bin/env -S node --max-semi-space-size=64
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runServerCommand } from './commands/run-server-command.js';

// What is answered leaves much behind that is young, little of which lives on. It is collected seldom (the first line), and by
// one thread: a second one takes a processor from PostgreSQL and is done no sooner. Source: decision 0027
setFlagsFromString('--no-parallel-scavenge');

// Who read the output may leave before the server does, as `head` does; that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Relative to apps/server/dist, where this file is built to.
process.exitCode = await runServerCommand(process.argv.slice(2), {
  defaultDataDir: fileURLToPath(new URL('../../../.centavo', import.meta.url)),
  migrations: fileURLToPath(new URL('../migrations', import.meta.url)),
});

// By now all is closed, and the process ends by itself. What a failure may have left open must not keep it.
const graceMs = 2_000;
setTimeout(() => process.exit(), graceMs).unref();
