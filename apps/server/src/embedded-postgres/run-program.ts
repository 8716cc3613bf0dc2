import { execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The system user a program is started as, when it is not our own. */
export interface RunUser {
  uid: number;
  gid: number;
}

/**
 * Runs a short-lived program to its end.
 *
 * @returns its exit code (null if it was killed or could not be started) and what it printed, both streams together.
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
      // Our own directory may be one that the other user cannot enter.
      cwd: '/',
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** The environment of PostgreSQL's programs: ours could hold secrets, and PG… variables that change what they do. */
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
 * Chooses the system user that PostgreSQL runs as: ourselves, except as root, because PostgreSQL refuses to run as root.
 *
 * As root it is the owner of the data that exists, else the system user `postgres`, which is made if it is missing.
 *
 * @param directory of the data, if known; it need not exist.
 * @throws Error with the remedy when root can neither find nor make such a user.
 */
export async function chooseRunUser(options: {
  directory: string | undefined;
  say: (line: string) => void;
}): Promise<RunUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = options.directory && (await stat(options.directory).catch(() => undefined));
  // Data made by an ordinary user stays that user's when root comes by: PostgreSQL accepts only the owner of its data.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await findUser();
  if (existing !== undefined) return existing;

  options.say(`PostgreSQL does not run as root: adding the system user ${userName} for it.`);
  const reasons = [
    await tryToAdd('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName]),
  ];
  if ((await findUser()) === undefined) {
    // BusyBox systems have no useradd; these are the options of its adduser.
    reasons.push(await tryToAdd('adduser', ['-S', '-D', '-H', '-s', '/bin/false', userName]));
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

async function tryToAdd(program: string, parameters: string[]): Promise<string | undefined> {
  try {
    await run(program, parameters);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim();
  }
}
