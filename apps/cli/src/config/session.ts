import { CliError, NotLoggedInError } from '../errors.js';
import type { Keychain, OpenKeychain } from './keychain.js';
import type { Profile, ProfileStore, SecretStore, StoredSession } from './profiles.js';
import { isAuthenticationError, type Session, type SteppedUp } from '@centavo/sdk';
import type { Clock } from '../io.js';

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

/** A token that ends within this time is renewed first: it must outlive the request, and clocks differ a little. */
const renewBeforeMs = 60_000;

/**
 * The access token of the profile's session, renewed by itself.
 *
 * A refresh token works once, and using it twice revokes the session, so all processes that share the profile renew
 * under its lock: whoever comes second finds the new tokens in the vault and uses them. The new refresh token is kept
 * before its access token is used; a crash in between costs nothing.
 */
export class SessionTokens {
  readonly #vault: SessionVault;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  readonly #refresh: (refreshToken: string) => Promise<Session>;
  #session: StoredSession | undefined;
  /** Eight rows at once ask for a token; one of them renews it, the others wait. */
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
   * A token that is good for at least a minute.
   * @throws NotLoggedInError (exit 3) without a session for this server, or when it has ended
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

  /** Keeps the access token that a one-time code has brought, for this command and the next ones. */
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
