import { NobleCryptoPlugin, ScureBase32Plugin, TOTP } from 'otplib';

const stepSeconds = 30;
const totp = new TOTP({ crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin(), period: stepSeconds });

/**
 * The time step whose code this is, among the current one and its two neighbours, or null. RFC 6238: SHA-1, six digits,
 * steps of 30 s. Whether the step was used before is the caller's question: the library's `afterTimeStep` throws when a
 * clock that went back puts the last step into the future.
 * @param guess.code six digits; the library throws on anything else
 */
export async function matchTotpStep(guess: {
  readonly secret: string;
  readonly code: string;
  readonly now: Date;
}): Promise<number | null> {
  const result = await totp.verify(guess.code, {
    secret: guess.secret,
    epoch: Math.floor(guess.now.getTime() / 1000),
    epochTolerance: stepSeconds,
  });
  return result.valid ? result.timeStep : null;
}

/** Steps so far behind the last one that was used count as used: no clock that is right comes back to them. */
const kept = 10;

/** The time steps whose codes were accepted, of those that are kept; in no order. */
export type UsedSteps = readonly number[];

/** Whether a step's code was accepted before: each works once. Pure. Source: contract, section 8 */
export function isUsed(used: UsedSteps, step: number): boolean {
  return used.includes(step) || step <= Math.max(...used) - kept;
}

/** The steps that are kept once that of an accepted code is among them. Pure. */
export function useStep(used: UsedSteps, step: number): UsedSteps {
  const all = [...used, step];
  const last = Math.max(...all);
  return all.filter((one) => one > last - kept);
}

/** Five wrong codes in 15 minutes. Source: contract, section 8. */
export const codeFailureLimit = { limit: 5, windowSeconds: 15 * 60 } as const;

/**
 * Decides whether a code may be tried, and counts the attempt as if it were to fail; success takes the count back. Five
 * failures within any 15 minutes fill the window, and while it is full not even a right code is looked at. Pure.
 * @param failedAt when wrong codes were given, oldest first
 */
export function countCodeAttempt(
  failedAt: readonly Date[],
  now: Date,
):
  | { readonly isAllowed: true; readonly failedAtIfWrong: readonly Date[] }
  | { readonly isAllowed: false; readonly retryAfterSeconds: number } {
  const { limit, windowSeconds } = codeFailureLimit;
  const windowMs = windowSeconds * 1000;
  const recent = failedAt.filter((failure) => failure.getTime() + windowMs > now.getTime());
  const [oldest] = recent.slice(-limit);
  if (recent.length < limit || oldest === undefined) return { isAllowed: true, failedAtIfWrong: [...recent, now] };
  return { isAllowed: false, retryAfterSeconds: Math.ceil((oldest.getTime() + windowMs - now.getTime()) / 1000) };
}
