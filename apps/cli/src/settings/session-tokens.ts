import { isAuthenticationError, type Session, type SteppedUp } from '@centavo/sdk';
import { NotLoggedInError } from '../cli-error.js';
import type { Clock } from '../clock.js';
import type { StoredSession } from './profile-store.js';
import type { SessionVault } from './session-vault.js';

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
