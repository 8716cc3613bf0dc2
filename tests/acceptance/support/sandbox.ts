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

/** A running server. */
export interface Server extends StartedProgram {
  /** For example `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly port: string;
  readonly baseUrl: string;
}

/** The programs and folders of one test file. After its tests, even if one fails, all programs are ended and all folders deleted. */
export interface Sandbox {
  /** Returns a new path. The server creates the folder. */
  newDataDir(): string;
  writeFile(name: string, content: string): Promise<string>;
  /** Starts a server and waits until it is ready. @throws Error with its output if it ends before that */
  startServer(options: ServerOptions): Promise<Server>;
  /** Runs a command of the server and waits for its end. */
  runServer(command: string, options: ServerOptions): Promise<EndedProgram>;
  /** Opens a terminal of a user who has not used Centavo before. */
  newTerminal(env: Readonly<Record<string, string>>): Promise<Terminal>;
  /** Runs a line with `/bin/sh` in the folder of the repository, with an empty home. */
  runInShell(line: string): Promise<EndedProgram>;
}

export interface ServerOptions {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const shutdownMsMax = 10_000;

/** Opens a sandbox, and closes it after the tests of the file. */
export function openSandbox(): Sandbox {
  // If all tests are skipped, vitest does not call `close`, and nothing would remove this folder. So `makeRoot` creates it only when
  // a test needs it.
  const root = join(tmpdir(), `centavo-acceptance-${randomUUID()}`);
  const programs = new Set<StartedProgram>();
  const dataDirs: string[] = [];
  let pathCount = 0;
  const newPath = (kind: string) => {
    pathCount += 1;
    return join(root, `${kind}-${pathCount}`);
  };

  function makeRoot(): void {
    if (mkdirSync(root, { recursive: true }) === undefined) return;
    // If root runs the tests, PostgreSQL runs as another user, who needs access to the data in this folder.
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
      // Tests send more requests than a person does.
      RATE_LIMIT_READS_PER_MINUTE: '0',
      RATE_LIMIT_WRITES_PER_MINUTE: '0',
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
      ...env,
    };
    return track(startProgram({ words: [serverProgram, ...command.split(' ')], cwd: repository, env: settings }));
  }

  async function close(): Promise<void> {
    process.off('exit', endAll);
    await Promise.all([...programs].map(endProgram));
    await Promise.all(dataDirs.map(endPostgresOf));
    // A child of a killed program may still be writing. Then `rm` tries again, up to twelve times.
    await rm(root, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 });
  }

  // If this process exits before `close` has run, the servers get SIGTERM, and stop their PostgreSQL.
  function endAll(): void {
    for (const { pid } of programs) process.kill(pid, 'SIGTERM');
  }

  afterAll(close);
  process.on('exit', endAll);

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
      const [, origin = ''] = await program.prints(/^Centavo is ready at (https?:\/\/\S+)\/v1\/financial /m);
      // The startup message is one write, but a pipe may split it. Wait for its last line.
      await program.prints(/(one-time code secret \S+|login --email \S+|TOKEN=the access token\n.*)\n/);
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

/** Ends a program by SIGTERM, and by SIGKILL if it does not end in time. */
async function endProgram(program: StartedProgram): Promise<void> {
  const late = setTimeout(() => void program.kill('SIGKILL'), shutdownMsMax);
  await program.kill('SIGTERM').finally(() => clearTimeout(late));
}
