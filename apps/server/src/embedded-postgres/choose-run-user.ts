import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { RunUser } from './run-program.js';

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
