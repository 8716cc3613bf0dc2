#!/usr/bin/env -S node --max-semi-space-size=64
import { setFlagsFromString } from 'node:v8';
import { findInstallation } from './commands/installation.js';
import { runServerCommand } from './commands/run-server-command.js';

// Requests allocate many short-lived objects. The flag in the first line enlarges V8's young generation, so that its garbage is
// collected less often. Only one thread collects it, because a second thread would take a processor from PostgreSQL and save no
// time. Pretenuring is off, because with it V8 would allocate some objects of requests in the old generation, and free them late.
// Source: decision 0044
setFlagsFromString('--no-parallel-scavenge');
setFlagsFromString('--no-allocation-site-pretenuring');

// The program that reads the output, such as `head`, may exit before the server does. The server ignores the error EPIPE
// and continues.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runServerCommand(process.argv.slice(2), findInstallation(import.meta.url, process.env));

// Normally no handle is open now, and the process ends by itself. If a failure left a handle open, the process exits after this time.
const graceMs = 2_000;
setTimeout(() => process.exit(), graceMs).unref();
