import type {
  CreateSessionInput,
  CreateUserInput,
  Me,
  RefreshSessionInput,
  Session,
  SteppedUp,
  TotpCodeInput,
  TotpEnrolment,
  User,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * The server's own identity provider, where it uses no other.
 * @source contract, section 8
 * @example
 * import { FinancialClient } from '@centavo/sdk';
 *
 * const { accessToken } = await client.identity.createSession({ email, password });
 * const mine = new FinancialClient({ token: accessToken });
 * console.log((await mine.identity.me()).displayName);
 */
export class IdentityResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Registers a user; needs no token.
   * @throws StateConflictError `email_taken`
   * @example await client.identity.createUser({ email: 'ana@example.com', password });
   */
  createUser(input: CreateUserInput, options?: CallOptions): ApiPromise<User> {
    return new ApiPromise(this.#send<User>({ call: calls.createUser, body: input, options }));
  }

  /**
   * Logs in; needs no token.
   * @throws AuthenticationError CREDENTIAL_INVALID for a wrong password and for an unknown address alike
   * @example const { accessToken, refreshToken } = await client.identity.createSession({ email, password });
   */
  createSession(input: CreateSessionInput, options?: CallOptions): ApiPromise<Session> {
    return new ApiPromise(this.#send<Session>({ call: calls.createSession, body: input, options }));
  }

  /**
   * Trades a refresh token, which works once, for new tokens.
   * @throws AuthenticationError CREDENTIAL_REVOKED for a used one, which ends the session
   * @throws OutcomeUnknownError if the answer was lost; the token may be used up, so log in again
   * @example const session = await client.identity.refreshSession({ refreshToken });
   */
  refreshSession(input: RefreshSessionInput, options?: CallOptions): ApiPromise<Session> {
    return new ApiPromise(this.#send<Session>({ call: calls.refreshSession, body: input, options }));
  }

  /**
   * Logs out; the session's tokens stop working at once.
   * @example await client.identity.endSession();
   */
  endSession(options?: CallOptions): ApiPromise<void> {
    return new ApiPromise(this.#send<void>({ call: calls.endSession, options }));
  }

  /**
   * The user of the session.
   * @example const { email, totpEnrolled } = await client.identity.me();
   */
  me(options?: CallOptions): ApiPromise<Me> {
    return new ApiPromise(this.#send<Me>({ call: calls.getMe, options }));
  }

  /**
   * Begins the enrolment of an authenticator app; it counts once a code is confirmed.
   * @throws StepUpRequiredError if the log-in is too old (`method: 'password'`), or one is enrolled already (`'totp'`)
   * @example const { otpauthUri } = await client.identity.enrolTotp();
   */
  enrolTotp(options?: CallOptions): ApiPromise<TotpEnrolment> {
    return new ApiPromise(this.#send<TotpEnrolment>({ call: calls.enrolTotp, options }));
  }

  /**
   * Ends the enrolment with a first code, and steps the session up. All other sessions of the user end.
   * @example const { accessToken } = await client.identity.confirmTotp({ code: '123456' });
   */
  confirmTotp(input: TotpCodeInput, options?: CallOptions): ApiPromise<SteppedUp> {
    return new ApiPromise(this.#send<SteppedUp>({ call: calls.confirmTotp, body: input, options }));
  }

  /**
   * Steps the session up: the new access token may make keys for some minutes. A code works once.
   * @throws AuthenticationError CREDENTIAL_INVALID for a wrong or used code
   * @throws RateLimitError after five failures
   * @example const { accessToken } = await client.identity.verifyTotp({ code: '123456' });
   */
  verifyTotp(input: TotpCodeInput, options?: CallOptions): ApiPromise<SteppedUp> {
    return new ApiPromise(this.#send<SteppedUp>({ call: calls.verifyTotp, body: input, options }));
  }
}
