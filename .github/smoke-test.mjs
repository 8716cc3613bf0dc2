// Runs `DEMO=on npm start` with an empty data directory, imports the sample statement twice and checks that every row was recorded
// once. It has no dependencies, because it runs before anything is installed. The argument is the port, 8080 by default.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);
const rowCount = 234;
const port = process.argv[2] ?? '8080';
const directory = await mkdtemp(join(tmpdir(), 'centavo-smoke-'));

// Windows starts npm.cmd only through a shell.
const server = spawn('npm start', {
  shell: true,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, DEMO: 'on', RATE_LIMIT_WRITES_PER_MINUTE: '0', PORT: port, DATA_DIR: join(directory, 'data') },
  // A separate process group, so that the signal also reaches the server that npm starts. On Windows, stopServer() ends the process tree.
  detached: process.platform !== 'win32',
});

try {
  const token = await readToken();
  const first = await importSample(token);
  const second = await importSample(token);
  if (first.CREATED !== rowCount || second.CREATED !== 0 || second.REPLAYED !== rowCount) {
    throw new Error(`Expected ${rowCount} rows, recorded once: ${JSON.stringify({ first, second })}`);
  }
  process.stdout.write('Every row was recorded once.\n');
} finally {
  await stopServer();
}

/** Resolves with the API key of the demo when the server has printed it; rejects if the server ends before that. */
function readToken() {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      process.stdout.write(part);
      text += part;
      const [, token] = /CENTAVO_TOKEN=(centavo_live_\w+)\s/.exec(text) ?? [];
      if (token !== undefined) resolve(token);
    });
    server.on('exit', () => reject(new Error('The server ended before it printed the key of the demo.')));
  });
}

/** Imports the sample statement, and returns the counts in its summary, such as `CREATED: 234`. */
async function importSample(token) {
  const args = ['import', 'examples/household-2026.csv', '--create-categories', '--yes'];
  const env = { ...process.env, CENTAVO_TOKEN: token, CENTAVO_BASE_URL: `http://127.0.0.1:${port}/v1/financial` };
  const { stdout } = await runProgram(process.execPath, ['apps/cli/dist/main.js', ...args], { env });
  process.stdout.write(stdout);
  const numbers = [...stdout.matchAll(/^([A-Z]+) +(\d+)\s*$/gm)];
  return Object.fromEntries(numbers.map(([, name, number]) => [name, Number(number)]));
}

/** Stops the server with everything that it started, the embedded PostgreSQL included. */
async function stopServer() {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  if (process.platform === 'win32') await runProgram('taskkill', ['/pid', String(server.pid), '/t', '/f']);
  else process.kill(-server.pid, 'SIGTERM');
  await ended;
}
