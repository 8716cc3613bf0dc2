import { generate } from 'otplib';
import { type Answer, callsTo } from '../../acceptance/support/call-api.js';
import type { Clock } from './move-clock.js';
import { registerUser, succeed } from './tenants.js';

export const stepMs = 30_000;

/** A user with an authenticator app that uses the clock of the servers. */
export interface AuthenticatorUser {
  /** Returns the code that the app shows a number of time steps from now; negative for the past. */
  codeOf(steps: number): Promise<string>;
  /** Sends a code to one of the servers. */
  sendCode(code: string, origin: string): Promise<Answer>;
  /** Logs in again, to replace an expired access token. */
  logIn(): Promise<void>;
  /** The access token from the last accepted code or login. */
  accessToken(): string;
}

/**
 * Registers a user, and uses the current code to enrol the authenticator app. Because each code is valid only once, the next valid code
 * is that of the next time step.
 */
export async function registerAuthenticatorUser(origin: string, clock: Clock): Promise<AuthenticatorUser> {
  const { email, password } = await registerUser(origin);
  const anonymous = callsTo(origin);
  let accessToken = '';
  const callAt = (where: string) => callsTo(where, { Authorization: `Bearer ${accessToken}` });
  const logIn = async () => {
    const body = { email, password };
    accessToken = (await succeed(anonymous, 'POST /v1/identity/sessions', { body })).accessToken;
  };
  await logIn();
  const { secret } = await succeed(callAt(origin), 'POST /v1/identity/totp');
  const codeOf = (steps: number) => generate({ secret, epoch: Math.floor((clock.now() + steps * stepMs) / 1000) });
  const body = { code: await codeOf(0) };
  accessToken = (await succeed(callAt(origin), 'POST /v1/identity/totp/confirm', { body })).accessToken;
  return {
    codeOf,
    async sendCode(code, where) {
      const answer = await callAt(where)('POST /v1/identity/totp/verify', { body: { code } });
      if (answer.status === 200) accessToken = answer.data.accessToken;
      return answer;
    },
    logIn,
    accessToken: () => accessToken,
  };
}
