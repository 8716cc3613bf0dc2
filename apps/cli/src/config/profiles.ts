import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import type { Clock } from '../io.js';
import { withFileLock } from './file-lock.js';
import { configDirectory, profileDirectory, writeFileAtomically } from './files.js';

/** The user and the server of a session. */
interface SessionOwner {
  /** The server of the session. The tokens are never sent to another server. */
  readonly baseUrl: string;
  readonly email: string;
}

/** A session as stored between commands. */
export interface StoredSession extends SessionOwner {
  readonly accessToken: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** Works once. A process sends this token only while the process holds the profile's lock. */
  readonly refreshToken: string;
  readonly refreshExpiresAt: string;
}

/** A session whose tokens are in the keychain, and not in the profile's file. */
export interface KeychainSession extends SessionOwner {
  readonly keptIn: 'keychain';
}

/** The content of a profile; every field is optional. */
export interface Profile {
  readonly baseUrl?: string;
  /** The id of the tracker that commands use by default, or its name if the user has set the name instead. */
  readonly trackerId?: string;
  readonly secretStore?: SecretStore;
  /** True after a login has reported that no keychain works, so that later logins do not report this again. */
  readonly knowsOfMissingKeychain?: true;
  /** The newest event that `audit verify` has verified in each tracker, by tracker id. */
  readonly verifiedHeads?: Readonly<Record<string, { readonly sequence: number; readonly hash: string }>>;
  /** The session. Only `SessionVault` reads its tokens and writes this field, because the tokens may be in the keychain. */
  readonly session?: StoredSession | KeychainSession;
  /** The secret with which the command `listen` signs events. Its form is `whsec_<base64>`. */
  readonly listenSecret?: string;
}

/** The store in which a login saves the session: the system's keychain, or the profile's file. */
export type SecretStore = (typeof secretStores)[number];
export const secretStores = ['keychain', 'file'] as const;

/** The file of one profile, `profile.json` in its directory. */
export class ProfileStore {
  readonly directory: string;
  /** The path of the file. */
  readonly path: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.directory = directory;
    this.path = join(directory, 'profile.json');
    this.#clock = clock;
  }

  /**
   * Returns the profile, which is empty if the file does not exist.
   * @throws UsageError (exit 2) if the file cannot be read or is damaged; a damaged file is never repaired automatically
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
      // Text that is not JSON causes the same error as JSON that is not an object.
    }
    throw new UsageError(
      `The profile ${this.path} does not contain a JSON object.`,
      'Remove the file and log in again.',
    );
  }

  /**
   * Changes the profile under its lock. The profile is read while the lock is held, so that `change` receives the
   * latest changes of other processes. Writes the result of `change`, or nothing if the result is undefined.
   * @returns the profile after the change
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

/** Returns the names of all profiles, sorted. */
export async function listProfileNames(env: Environment): Promise<readonly string[]> {
  const entries = await readdir(join(configDirectory(env), 'profiles'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Returns the name of the profile that `profiles use` has chosen, or undefined. */
export async function findUsedProfile(env: Environment): Promise<string | undefined> {
  const name = (await readFile(usedProfilePath(env), 'utf8').catch(() => '')).trim();
  return name === '' ? undefined : name;
}

/** Chooses the profile that applies if neither a flag nor the environment names a profile. */
export async function useProfile(env: Environment, profileName: string): Promise<void> {
  await writeFileAtomically(usedProfilePath(env), `${profileName}\n`);
}

/** Deletes a profile with everything in it. If it was the chosen profile, commands use the profile `default` again. */
export async function deleteProfile(env: Environment, profileName: string): Promise<void> {
  await rm(profileDirectory(env, profileName), { recursive: true, force: true });
  if ((await findUsedProfile(env)) === profileName) await rm(usedProfilePath(env), { force: true });
}

function usedProfilePath(env: Environment): string {
  return join(configDirectory(env), 'used-profile');
}

/**
 * Restricts the permissions of the profile's file and directory to their owner if the file contains the tokens of a session. A copy, a
 * backup or `chmod -R` may have widened the permissions. Does nothing on Windows, because there the file mode does not show which users can
 * read a file.
 *
 * @returns a warning for the user; undefined if the permissions were correct or were not checked
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
      // If stat fails, another process has just deleted the profile.
      () => 0,
    );
    if ((before & 0o077) === 0) continue;
    found.push(`${path} (${toOctal(before)})`);
    // If another user owns the file, only that user can change its permissions.
    await chmod(path, mode).catch(() => commands.push(`chmod ${toOctal(mode)} ${path}`));
  }
  if (found.length === 0) return undefined;
  const remedy =
    commands.length === 0
      ? 'The permissions are now restricted. If other users have access to this machine, end the session with "centavo logout" and log in again.'
      : `Run ${commands.join(' && ')}.`;
  return `Other users could read the session of this profile: ${found.join(', ')}. ${remedy}`;
}

function toOctal(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`;
}
