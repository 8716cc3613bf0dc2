import { isAuthenticationError, type Session, type SteppedUp } from '@centavo/sdk';
import { CliError, NotLoggedInError } from '../errors.js';
import type { Clock } from '../io.js';
import type { Keychain, OpenKeychain } from './keychain.js';
import type { Profile, ProfileStore, SecretStore, StoredSession } from './profiles.js';

/** The keychain with the session cannot be read: exit 1, not 3 (not authenticated), because the session may still be valid. */
export class KeychainError extends CliError {}

/**
 * The session of a profile. Its tokens are in the system's keychain, or in the profile's file, which only the owner of the
 * file can read. The tokens and the file are changed under the profile's lock.
 */
export class SessionVault {
  readonly #store: ProfileStore;
  readonly #openKeychain: OpenKeychain;

  constructor(store: ProfileStore, openKeychain: OpenKeychain) {
    this.#store = store;
    this.#openKeychain = openKeychain;
  }

  /**
   * Returns the session; undefined if there is none.
   * @throws KeychainError (exit 1) when the keychain with the tokens cannot be read
   */
  async find(): Promise<StoredSession | undefined> {
    return this.#load(await this.#store.read());
  }

  /**
   * Changes the session under the profile's lock. If `change` returns undefined, the session stays the same. New
   * tokens replace the old tokens in the same store. If the keychain rejects the new tokens, they are stored in the file,
   * because a lost refresh token cannot be recovered.
   * @returns the session after the change
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
   * Stores a new session, and sets the server of the profile to the server of the session.
   * @returns the store that contains the session: the file if `wanted` is `file` or no keychain works, otherwise the keychain
   */
  async keep(session: StoredSession, wanted: SecretStore): Promise<SecretStore> {
    const profile = await this.#store.update(async (current) => {
      await this.#removeSecret(current);
      return this.#keepIn(wanted, { ...current, baseUrl: session.baseUrl }, session);
    });
    return profile.session !== undefined && 'keptIn' in profile.session ? 'keychain' : 'file';
  }

  /** Removes the session, if there is one. */
  async forget(): Promise<void> {
    await this.#store.update(async (profile) => {
      await this.#removeSecret(profile);
      const { session: _, ...rest } = profile;
      return rest;
    });
  }

  /**
   * Removes the tokens from the keychain. Ignores failures: tokens that remain there after a successful logout are no longer
   * valid.
   */
  async #removeSecret({ session }: Profile): Promise<void> {
    if (session !== undefined && 'keptIn' in session) await (await this.#open())?.remove().catch(() => undefined);
  }

  /** Returns the profile with the session. If `wanted` is `keychain` and the keychain works, only the keychain has the tokens. */
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
        'Cannot read the session from the keychain.',
        'Unlock the keychain, or log in again with CENTAVO_SECRET_STORE=file.',
      );
    }
    const { baseUrl, email } = session;
    return { ...(JSON.parse(text) as Omit<StoredSession, 'baseUrl' | 'email'>), baseUrl, email };
  }

  #open(): Promise<Keychain | undefined> {
    // The keychain entry is named after the profile's directory and not after the profile: each XDG_CONFIG_HOME may contain
    // a profile with the same name.
    return this.#openKeychain(this.#store.directory);
  }
}

/** A token that expires within this time is renewed before its use, because clocks differ and the request takes time. */
const renewBeforeMs = 60_000;

/**
 * Provides the access token of the profile's session, and renews the session before the token expires.
 *
 * A refresh token works once, and a second use revokes the session. Therefore all processes that share the profile renew
 * the session under the profile's lock, and a process that waited for the lock finds the new tokens in the vault. The new
 * refresh token is stored before the new access token is used, so that a crash during a request does not lose the session.
 */
export class SessionTokens {
  readonly #vault: SessionVault;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  readonly #refresh: (refreshToken: string) => Promise<Session>;
  #session: StoredSession | undefined;
  /** The renewal in progress, which the concurrent requests of an import share. */
  #renewal: Promise<StoredSession> | undefined;

  /** @param options.refresh sends a refresh token to the server, once and without retries */
  constructor(options: {
    vault: SessionVault;
    baseUrl: string;
    clock: Clock;
    refresh: (refreshToken: string) => Promise<Session>;
  }) {
    this.#vault = options.vault;
    this.#baseUrl = options.baseUrl;
    this.#clock = options.clock;
    this.#refresh = options.refresh;
  }

  /**
   * Returns a token that is valid for at least a minute.
   * @throws NotLoggedInError (exit 3) when there is no session for this server, or the session has ended
   */
  async getAccessToken(): Promise<string> {
    this.#session ??= this.#requireSession(await this.#vault.find());
    if (this.#endsSoon(this.#session)) {
      this.#renewal ??= this.#renew().finally(() => {
        this.#renewal = undefined;
      });
      this.#session = await this.#renewal;
    }
    return this.#session.accessToken;
  }

  /** Stores the access token that the server returned for a one-time code. This command and later commands use it. */
  async replaceAccessToken(steppedUp: SteppedUp): Promise<void> {
    this.#session = await this.#vault.update((current) => ({
      ...this.#requireSession(current),
      ...pickTokens(steppedUp),
    }));
  }

  async #renew(): Promise<StoredSession> {
    const renewed = await this.#vault.update(async (current) => {
      const session = this.#requireSession(current);
      if (!this.#endsSoon(session)) return undefined;
      const { refreshToken, refreshExpiresAt, ...tokens } = await this.#refresh(session.refreshToken).catch(
        (error: unknown) => {
          if (isAuthenticationError(error)) throw this.#sessionEnded();
          throw error;
        },
      );
      return { ...session, ...pickTokens(tokens), refreshToken, refreshExpiresAt };
    });
    return this.#requireSession(renewed);
  }

  #requireSession(session: StoredSession | undefined): StoredSession {
    if (session === undefined || session.baseUrl !== this.#baseUrl) {
      throw new NotLoggedInError(`Not logged in to ${this.#baseUrl}.`, 'Run "centavo login", or set CENTAVO_TOKEN.');
    }
    if (Date.parse(session.refreshExpiresAt) <= this.#clock.nowMs()) throw this.#sessionEnded();
    return session;
  }

  #sessionEnded(): NotLoggedInError {
    return new NotLoggedInError(`The session at ${this.#baseUrl} has ended.`, 'Run "centavo login" again.');
  }

  #endsSoon(session: StoredSession): boolean {
    return Date.parse(session.expiresAt) - renewBeforeMs <= this.#clock.nowMs();
  }
}

function pickTokens({ accessToken, expiresAt }: SteppedUp): Pick<StoredSession, 'accessToken' | 'expiresAt'> {
  return { accessToken, expiresAt };
}
