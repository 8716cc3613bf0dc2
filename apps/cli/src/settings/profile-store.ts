import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../cli-error.js';
import type { Clock } from '../clock.js';
import { withFileLock } from './file-lock.js';
import { writeFileAtomically } from './write-file-atomically.js';

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
