import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { endPostgresOf } from './postgres-of.js';
import { repository, serverProgram } from './repository.js';
import { type EndedProgram, type StartedProgram, startProgram } from './start-program.js';
import { openTerminal, type Terminal } from './terminal.js';

/** A server that answers. */
export interface Server extends StartedProgram {
  /** `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly port: string;
  readonly baseUrl: string;
}

/** A place for the programs and folders of one test file, left without a trace, also when a test fails. */
export interface Sandbox {
  /** A new path; a server makes the folder. */
  newDataDir(): string;
  writeFile(name: string, content: string): Promise<string>;
  /** Starts a server and waits until it answers. @throws Error with what it said if it ends instead */
  startServer(options: ServerOptions): Promise<Server>;
  /** Runs one of the server's commands to its end, for those that are expected to end. */
  runServer(command: string, options: ServerOptions): Promise<EndedProgram>;
  /** A terminal of somebody who has not used Centavo here before. */
  newTerminal(env: Readonly<Record<string, string>>): Promise<Terminal>;
  /** Runs a line as the shell of a newcomer does, in the repository's folder. */
  runInShell(line: string): Promise<EndedProgram>;
}

export interface ServerOptions {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const orderlyEndMsMax = 10_000;

/** Opens a sandbox and has vitest close it after the file's tests. */
export function openSandbox(): Sandbox {
  // Made when the first test needs it: where all tests of a file are skipped, vitest closes nothing.
  const root = join(tmpdir(), `centavo-acceptance-${randomUUID()}`);
  const programs = new Set<StartedProgram>();
  const dataDirs: string[] = [];
  let names = 0;
  const newPath = (kind: string) => {
    names += 1;
    return join(root, `${kind}-${names}`);
  };

  function makeRoot(): void {
    if (mkdirSync(root, { recursive: true }) === undefined) return;
    // As root PostgreSQL runs as another user, who has to pass through.
    chmodSync(root, 0o711);
  }

  function track<Program extends StartedProgram>(program: Program): Program {
    programs.add(program);
    program.ended.then(
      () => programs.delete(program),
      () => programs.delete(program),
    );
    return program;
  }

  function launch(command: string, { dataDir, env }: ServerOptions): StartedProgram {
    makeRoot();
    if (dataDir !== undefined && !dataDirs.includes(dataDir)) dataDirs.push(dataDir);
    const settings = {
      HOME: root,
      PORT: '0',
      LOG_LEVEL: 'warn',
      // The programs here are faster than people.
      RATE_LIMIT_READS_PER_MINUTE: '0',
      RATE_LIMIT_WRITES_PER_MINUTE: '0',
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
      ...env,
    };
    return track(startProgram({ words: [serverProgram, ...command.split(' ')], cwd: repository, env: settings }));
  }

  async function close(): Promise<void> {
    process.off('exit', abandon);
    await Promise.all([...programs].map(endProgram));
    await Promise.all(dataDirs.map(endPostgresOf));
    // A child of a killed program may still be writing; removal then needs a second go.
    await rm(root, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 });
  }

  // When vitest gives up on this file's process, servers are at least told to end, and they take their PostgreSQL along.
  function abandon(): void {
    for (const { pid } of programs) process.kill(pid, 'SIGTERM');
  }

  afterAll(close);
  process.on('exit', abandon);

  async function makeFolder(kind: string): Promise<string> {
    makeRoot();
    const folder = newPath(kind);
    await mkdir(folder);
    return folder;
  }

  return {
    newDataDir: () => newPath('data'),
    async writeFile(name, content) {
      const folder = await makeFolder('files');
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    async startServer(options) {
      const program = launch('start', options);
      const [, origin = ''] = await program.says(/^Centavo is ready at (https?:\/\/\S+)\/v1\/financial /m);
      // The startup message is one write, but a pipe may cut it anywhere: wait for its last line.
      await program.says(/(one-time code secret \S+|login --email \S+|TOKEN=the access token\n.*)\n/);
      return Object.assign(program, { origin, port: new URL(origin).port, baseUrl: `${origin}/v1/financial` });
    },
    runServer: (command, options) => launch(command, options).ended,
    async newTerminal(env) {
      const home = await makeFolder('home');
      return openTerminal({ home, env, onStart: track });
    },
    async runInShell(line) {
      const home = await makeFolder('home');
      const env = { HOME: home, XDG_CONFIG_HOME: home, CENTAVO_SECRET_STORE: 'file' };
      return track(startProgram({ program: '/bin/sh', words: ['-c', line], cwd: repository, env })).ended;
    },
  };
}

/** Ends a program in order, or, where a failed test left it unable to, by force. */
async function endProgram(program: StartedProgram): Promise<void> {
  const late = setTimeout(() => void program.kill('SIGKILL'), orderlyEndMsMax);
  await program.kill('SIGTERM').finally(() => clearTimeout(late));
}
