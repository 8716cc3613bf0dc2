import { execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The system user that a program runs as, if that user is not the user of this process. */
export interface RunUser {
  uid: number;
  gid: number;
}

/**
 * Runs a short-lived program and waits for its exit.
 *
 * @returns the exit code (null if the program was killed or could not be started), and stdout and stderr as one text.
 */
export function runProgram(options: {
  file: string;
  parameters: string[];
  runUser: RunUser | undefined;
}): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(options.file, options.parameters, {
      ...options.runUser,
      // `runUser` may have no access to the working directory of this process.
      cwd: '/',
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const append = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Returns the environment for PostgreSQL's programs. It contains only the variables that they need. The other variables of this process may
 * contain secrets, and PG… variables change the behaviour of the programs.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(PATH !== undefined && { PATH }),
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(TEMP !== undefined && { TEMP }),
  };
}

const run = promisify(execFile);
const userName = 'postgres';

/**
 * Chooses the system user that PostgreSQL runs as. Normally that is the user of this process.
 *
 * PostgreSQL refuses to run as root. If this process runs as root, PostgreSQL runs as the owner of the existing data. If there is no data,
 * or root owns it, PostgreSQL runs as the system user `postgres`, which is added if it is missing.
 *
 * @param options.directory the data directory, if known; it need not exist.
 * @returns undefined if PostgreSQL runs as the user of this process.
 * @throws Error with the remedy if the user `postgres` is needed, but does not exist and cannot be added.
 */
export async function chooseRunUser(options: {
  directory: string | undefined;
  report: (line: string) => void;
}): Promise<RunUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = options.directory && (await stat(options.directory).catch(() => undefined));
  // PostgreSQL refuses to start if another user owns its data directory.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await findUser();
  if (existing !== undefined) return existing;

  options.report(`PostgreSQL does not run as root: adding the system user ${userName} for it.`);
  const reasons = [
    await tryAddUser('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName]),
  ];
  if ((await findUser()) === undefined) {
    // BusyBox systems have no useradd. These are the options of BusyBox's adduser.
    reasons.push(await tryAddUser('adduser', ['-S', '-D', '-H', '-s', '/bin/false', userName]));
  }
  const added = await findUser();
  if (added !== undefined) return added;
  throw new Error(
    `PostgreSQL does not run as root, and no system user "${userName}" could be added (${reasons.filter(Boolean).join('; ')}). Run as an ordinary user, add that user, or set DATABASE_URL.`,
  );
}

async function findUser(): Promise<RunUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', userName]), run('id', ['-g', userName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function tryAddUser(program: string, parameters: string[]): Promise<string | undefined> {
  try {
    await run(program, parameters);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim();
  }
}
