import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import type { Clock } from '../io.js';
import { withFileLock } from './file-lock.js';
import { configDirectory, profileDirectory, writeFileAtomically } from './files.js';

/** Whose session it is, and where. */
interface SessionOwner {
  /** The server that it belongs to: its tokens are never sent to another one. */
  readonly baseUrl: string;
  readonly email: string;
}

/** A session as it is kept between commands. */
export interface StoredSession extends SessionOwner {
  readonly accessToken: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** Works once; whoever uses it must have the profile's lock. */
  readonly refreshToken: string;
  readonly refreshExpiresAt: string;
}

/** A session of which the profile's file holds no secret. */
export interface KeychainSession extends SessionOwner {
  readonly keptIn: 'keychain';
}

/** What a profile remembers; everything is optional. */
export interface Profile {
  readonly baseUrl?: string;
  /** An id, or the name that somebody has set. */
  readonly trackerId?: string;
  readonly secretStore?: SecretStore;
  /** Somebody was told that there is no keychain here, and need not be told at every login. */
  readonly knowsOfMissingKeychain?: true;
  /** Read and written by the session vault only, which knows where its tokens are. */
  readonly session?: StoredSession | KeychainSession;
}

/** Where a login keeps its session: in the system's keychain, if there is one that works, or in the profile's file. */
export type SecretStore = (typeof secretStores)[number];
export const secretStores = ['keychain', 'file'] as const;

/** The file of one profile, `profile.json` in its directory. */
export class ProfileStore {
  readonly directory: string;
  /** The file. */
  readonly path: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.directory = directory;
    this.path = join(directory, 'profile.json');
    this.#clock = clock;
  }

  /**
   * The profile, empty when there is none yet.
   * @throws UsageError (exit 2) when the file is damaged; nothing is repaired by guessing
   */
  async read(): Promise<Profile> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw new UsageError(`The profile ${this.path} cannot be read (${error.code}).`, 'Check its permissions.');
    });
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    } catch {
      // Told below, with the remedy.
    }
    throw new UsageError(`The profile ${this.path} is damaged.`, 'Remove the file and log in again.');
  }

  /**
   * Changes the profile while no other process can: reads it again inside the lock, so that what somebody else has
   * just written is seen, and writes what `change` answers; `undefined` writes nothing.
   * @returns the profile as it is afterwards
   */
  async update(change: (profile: Profile) => Promise<Profile | undefined> | Profile | undefined): Promise<Profile> {
    return withFileLock(join(this.directory, 'profile.lock'), this.#clock, async () => {
      const profile = await this.read();
      const changed = await change(profile);
      if (changed !== undefined) await writeFileAtomically(this.path, `${JSON.stringify(changed, null, 2)}\n`);
      return changed ?? profile;
    });
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The names of all profiles that have a directory, sorted. */
export async function listProfileNames(env: Environment): Promise<readonly string[]> {
  const entries = await readdir(join(configDirectory(env), 'profiles'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The profile that `profiles use` chose, or undefined. */
export async function findUsedProfile(env: Environment): Promise<string | undefined> {
  const name = (await readFile(usedProfilePath(env), 'utf8').catch(() => '')).trim();
  return name === '' ? undefined : name;
}

/** Makes a profile the one that is used where neither flag nor environment name one. */
export async function useProfile(env: Environment, profileName: string): Promise<void> {
  await writeFileAtomically(usedProfilePath(env), `${profileName}\n`);
}

/** Deletes a profile with everything in it; whoever used it falls back to `default`. */
export async function deleteProfile(env: Environment, profileName: string): Promise<void> {
  await rm(profileDirectory(env, profileName), { recursive: true, force: true });
  if ((await findUsedProfile(env)) === profileName) await rm(usedProfilePath(env), { force: true });
}

function usedProfilePath(env: Environment): string {
  return join(configDirectory(env), 'used-profile');
}

/**
 * Takes the rights of others from the profile's file and folder where the file holds the tokens of a session. A copy, a
 * backup or a careless `chmod -R` may have given them; nothing of ours does. Windows keeps its rights elsewhere.
 *
 * @returns what its owner has to be told, once; undefined where everything was right
 */
export async function restrictPermissions(
  store: ProfileStore,
  { profile, platform }: { profile: Profile; platform: NodeJS.Platform },
): Promise<string | undefined> {
  const { session } = profile;
  if (platform === 'win32' || session === undefined || 'keptIn' in session) return undefined;
  const found: string[] = [];
  const commands: string[] = [];
  for (const [path, mode] of [
    [store.directory, 0o700],
    [store.path, 0o600],
  ] as const) {
    const before = await stat(path).then(
      (stats) => stats.mode,
      // Another process has just deleted the profile.
      () => 0,
    );
    if ((before & 0o077) === 0) continue;
    found.push(`${path} (${toOctal(before)})`);
    // Not ours to change, where somebody else owns it: then they have to.
    await chmod(path, mode).catch(() => commands.push(`chmod ${toOctal(mode)} ${path}`));
  }
  if (found.length === 0) return undefined;
  const remedy =
    commands.length === 0
      ? 'That is mended. If others use this machine, end the session with "centavo logout", and log in again.'
      : `Run ${commands.join(' && ')}, and keep others away until then.`;
  return `Others could read the session of this profile: ${found.join(', ')}. ${remedy}`;
}

function toOctal(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`;
}
