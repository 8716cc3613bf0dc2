import { generate } from 'otplib';
import { type Answer, callsTo } from '../../acceptance/support/call-api.js';
import type { Clock } from './move-clock.js';
import { registerUser, succeed } from './tenants.js';

export const stepMs = 30_000;

/** A user with an authenticator app, by the clock of the servers. */
export interface CodeGiver {
  /** Returns the code of the app at a number of time steps from now. */
  codeOf(steps: number): Promise<string>;
  /** Sends a code to one of the servers. */
  give(code: string, origin: string): Promise<Answer>;
  /** Logs in again when the access token has expired. */
  logIn(): Promise<void>;
  /** The access token of the last accepted code or later log-in. */
  token(): string;
}

/** Registers a user with a used first code. The next valid code is that of the next time step. */
export async function openCodeGiver(origin: string, clock: Clock): Promise<CodeGiver> {
  const { email, password } = await registerUser(origin);
  const anonymous = callsTo(origin);
  let token = '';
  const callAt = (where: string) => callsTo(where, { Authorization: `Bearer ${token}` });
  const logIn = async () => {
    const body = { email, password };
    token = (await succeed(anonymous, 'POST /v1/identity/sessions', { body })).accessToken;
  };
  await logIn();
  const { secret } = await succeed(callAt(origin), 'POST /v1/identity/totp');
  const codeOf = (steps: number) => generate({ secret, epoch: Math.floor((clock.now() + steps * stepMs) / 1000) });
  const body = { code: await codeOf(0) };
  token = (await succeed(callAt(origin), 'POST /v1/identity/totp/confirm', { body })).accessToken;
  return {
    codeOf,
    async give(code, where) {
      const answer = await callAt(where)('POST /v1/identity/totp/verify', { body: { code } });
      if (answer.status === 200) token = answer.data.accessToken;
      return answer;
    },
    logIn,
    token: () => token,
  };
}
