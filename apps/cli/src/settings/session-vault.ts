import { CliError } from '../cli-error.js';
import type { Keychain, OpenKeychain } from './keychain.js';
import type { Profile, ProfileStore, SecretStore, StoredSession } from './profile-store.js';

/** The session is in a keychain that cannot be read now: exit 1, because logging in again may be the wrong answer. */
export class KeychainError extends CliError {}

/**
 * The session of a profile, wherever its tokens are: in the system's keychain, or in the profile's file, which only its
 * owner can read. Both are changed under the profile's lock.
 */
export class SessionVault {
  readonly #store: ProfileStore;
  readonly #openKeychain: OpenKeychain;

  constructor(store: ProfileStore, openKeychain: OpenKeychain) {
    this.#store = store;
    this.#openKeychain = openKeychain;
  }

  /** @throws KeychainError (exit 1) when the keychain that has the tokens cannot be read */
  async find(): Promise<StoredSession | undefined> {
    return this.#load(await this.#store.read());
  }

  /**
   * Changes the session while no other process can; `undefined` leaves it as it is. The tokens stay where they are. If
   * the keychain refuses them they go into the file: a refresh token that is lost cannot be had again.
   * @returns the session as it is afterwards
   */
  async update(
    change: (session: StoredSession | undefined) => Promise<StoredSession | undefined> | StoredSession | undefined,
  ): Promise<StoredSession | undefined> {
    let session: StoredSession | undefined;
    await this.#store.update(async (profile) => {
      const current = await this.#load(profile);
      const changed = await change(current);
      session = changed ?? current;
      if (changed === undefined) return undefined;
      const isInKeychain = profile.session !== undefined && 'keptIn' in profile.session;
      return isInKeychain ? this.#keepIn('keychain', profile, changed) : this.#keepIn('file', profile, changed);
    });
    return session;
  }

  /**
   * Keeps a new session, and remembers its server for the profile.
   * @returns where it is kept: in the file also where a keychain was wanted and there is none that works
   */
  async keep(session: StoredSession, wanted: SecretStore): Promise<SecretStore> {
    const profile = await this.#store.update(async (current) => {
      await this.#removeSecret(current);
      return this.#keepIn(wanted, { ...current, baseUrl: session.baseUrl }, session);
    });
    return profile.session !== undefined && 'keptIn' in profile.session ? 'keychain' : 'file';
  }

  /** Forgets the session; without one nothing happens. */
  async forget(): Promise<void> {
    await this.#store.update(async (profile) => {
      await this.#removeSecret(profile);
      const { session: _, ...rest } = profile;
      return rest;
    });
  }

  /** One that cannot be removed is worth nothing after a logout, and is overwritten by the next login. */
  async #removeSecret({ session }: Profile): Promise<void> {
    if (session !== undefined && 'keptIn' in session) await (await this.#open())?.remove().catch(() => undefined);
  }

  async #keepIn(wanted: SecretStore, profile: Profile, session: StoredSession): Promise<Profile> {
    const { baseUrl, email, ...tokens } = session;
    if (wanted === 'file' || !(await this.#tryWrite(JSON.stringify(tokens)))) return { ...profile, session };
    return { ...profile, session: { baseUrl, email, keptIn: 'keychain' } };
  }

  async #tryWrite(secret: string): Promise<boolean> {
    const keychain = await this.#open();
    if (keychain === undefined) return false;
    return keychain.write(secret).then(
      () => true,
      () => false,
    );
  }

  async #load({ session }: Profile): Promise<StoredSession | undefined> {
    if (session === undefined || !('keptIn' in session)) return session;
    const text = await (await this.#open())?.read().catch(() => undefined);
    if (text === undefined) {
      throw new KeychainError(
        'The keychain that holds the session cannot be read.',
        'Unlock it; or log in again with CENTAVO_SECRET_STORE=file.',
      );
    }
    const { baseUrl, email } = session;
    return { ...(JSON.parse(text) as Omit<StoredSession, 'baseUrl' | 'email'>), baseUrl, email };
  }

  #open(): Promise<Keychain | undefined> {
    // One secret a profile; its directory names it also where XDG_CONFIG_HOME tells several sets of profiles apart.
    return this.#openKeychain(this.#store.directory);
  }
}
