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
 * The embedded identity provider of the server. Servers that use an external identity provider do not have it.
 * @source docs/contract.md, section 8
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
   * Registers a user. Needs no token.
   * @throws StateConflictError if another user has the e-mail address (reason `email_taken`), or if registration is closed (reason
   *   `registration_closed`)
   * @example await client.identity.createUser({ email: 'ana@example.com', password });
   */
  createUser(input: CreateUserInput, options?: CallOptions): ApiPromise<User> {
    return new ApiPromise(this.#send<User>({ call: calls.createUser, body: input, options }));
  }

  /**
   * Logs a user in. Needs no token.
   * @throws AuthenticationError CREDENTIAL_INVALID for a wrong password or an unknown e-mail address
   * @example const { accessToken, refreshToken } = await client.identity.createSession({ email, password });
   */
  createSession(input: CreateSessionInput, options?: CallOptions): ApiPromise<Session> {
    return new ApiPromise(this.#send<Session>({ call: calls.createSession, body: input, options }));
  }

  /**
   * Exchanges a refresh token for new tokens. A refresh token is valid for one use.
   * @throws AuthenticationError CREDENTIAL_REVOKED if the token was used before; the server then ends the session
   * @throws OutcomeUnknownError if the response was lost; the server may have accepted the token, so log in again
   * @example const session = await client.identity.refreshSession({ refreshToken });
   */
  refreshSession(input: RefreshSessionInput, options?: CallOptions): ApiPromise<Session> {
    return new ApiPromise(this.#send<Session>({ call: calls.refreshSession, body: input, options }));
  }

  /**
   * Logs out. The server rejects the tokens of the session at once.
   * @example await client.identity.endSession();
   */
  endSession(options?: CallOptions): ApiPromise<void> {
    return new ApiPromise(this.#send<void>({ call: calls.endSession, options }));
  }

  /**
   * Returns the user of the session.
   * @example const { email, totpEnrolled } = await client.identity.me();
   */
  me(options?: CallOptions): ApiPromise<Me> {
    return new ApiPromise(this.#send<Me>({ call: calls.getMe, options }));
  }

  /**
   * Starts the enrolment of an authenticator app, which `confirmTotp` completes.
   * @throws StepUpRequiredError with `method: 'password'` if no app is enrolled yet and the login is not recent
   * @throws StepUpRequiredError with `method: 'totp'` if an app is enrolled and no code of this app was verified recently in this session
   * @example const { otpauthUri } = await client.identity.enrolTotp();
   */
  enrolTotp(options?: CallOptions): ApiPromise<TotpEnrolment> {
    return new ApiPromise(this.#send<TotpEnrolment>({ call: calls.enrolTotp, options }));
  }

  /**
   * Completes the enrolment with a code of the app. Like `verifyTotp`, returns a new access token. All other sessions of the user end.
   * @throws StepUpRequiredError with `method: 'password'` if this is the first app of the user and the login is not recent
   * @throws AuthenticationError CREDENTIAL_INVALID for a wrong code
   * @throws RateLimitError after five wrong codes in 15 minutes
   * @example const { accessToken } = await client.identity.confirmTotp({ code: '123456' });
   */
  confirmTotp(input: TotpCodeInput, options?: CallOptions): ApiPromise<SteppedUp> {
    return new ApiPromise(this.#send<SteppedUp>({ call: calls.confirmTotp, body: input, options }));
  }

  /**
   * Verifies a one-time code, and returns a new access token. For ten minutes by default, the methods that require a
   * recently verified code, such as `credentials.createApiKey`, accept this token. A code is valid for one use.
   * @throws AuthenticationError CREDENTIAL_INVALID for a wrong or used code
   * @throws RateLimitError after five wrong codes in 15 minutes
   * @example const { accessToken } = await client.identity.verifyTotp({ code: '123456' });
   */
  verifyTotp(input: TotpCodeInput, options?: CallOptions): ApiPromise<SteppedUp> {
    return new ApiPromise(this.#send<SteppedUp>({ call: calls.verifyTotp, body: input, options }));
  }
}
