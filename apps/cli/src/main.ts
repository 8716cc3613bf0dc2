#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { openSystemKeychain } from './config/keychain.js';
import { exitCodes } from './exit-codes.js';
import { systemClock } from './io.js';
import { openFetch } from './network/open-fetch.js';
import { runCli } from './run.js';
import { terminalPrompt } from './ui/prompt.js';

const interruption = new AbortController();
process.on('SIGINT', () => {
  // After the first Ctrl-C, the command cleans up; a second Ctrl-C exits at once.
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
  interruption.abort();
});
// A reader that closes the pipe early, as in `centavo movements list | head`, is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok);
    if (stream === process.stdout) process.stderr.write(describeLostOutput(error));
    process.exit(exitCodes.failure);
  });
}

/**
 * Returns the message for output that could not be written. The command may have succeeded, and may have created a secret
 * that the user cannot see.
 */
function describeLostOutput({ code, message }: NodeJS.ErrnoException): string {
  return `centavo: Cannot write to standard output (${code ?? message}), so the output is lost.
  try: If the disk is full, free some space. Before you repeat the command, check whether the server has recorded the change. Revoke a key whose secret was lost.
`;
}

const exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
  makeId: randomUUID,
  fetch: openFetch(process.env),
  openKeychain: openSystemKeychain,
  prompt: terminalPrompt(process),
  interruption: interruption.signal,
});
// After Ctrl-C, requests in progress would keep the process alive, so it exits at once. Without Ctrl-C, the process first writes its
// pending output.
if (interruption.signal.aborted) process.exit(exitCode);
process.exitCode = exitCode;
