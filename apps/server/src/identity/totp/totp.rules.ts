import { NobleCryptoPlugin, ScureBase32Plugin, TOTP } from 'otplib';

const stepSeconds = 30;
const totp = new TOTP({ crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin(), period: stepSeconds });

/**
 * Verifies a code against the current time step and its two neighbours. Returns the matching step, or null. RFC 6238: SHA-1, six digits,
 * steps of 30 s. The caller checks whether the step was used before. The library's option `afterTimeStep` cannot replace this check:
 * the library throws if the step in this option is in the future, for example after the clock was set back.
 * @param attempt.code six digits; the library throws on any other text
 */
export async function verifyTotpStep(attempt: {
  readonly secret: string;
  readonly code: string;
  readonly now: Date;
}): Promise<number | null> {
  const result = await totp.verify(attempt.code, {
    secret: attempt.secret,
    epoch: Math.floor(attempt.now.getTime() / 1000),
    epochTolerance: stepSeconds,
  });
  return result.valid ? result.timeStep : null;
}

/**
 * Uses are remembered for this many time steps, up to and including the newest used step. Every older step counts as used. Its code is too
 * old anyway, unless the clock was set back.
 */
const keptSteps = 10;

/** The recent time steps whose codes were accepted, in no particular order. */
export type UsedSteps = readonly number[];

/**
 * Returns whether a step counts as used: its code was accepted before, or the step is too old (see `keptSteps`). Each code works once.
 * Pure.
 * @source docs/contract.md, section 8
 */
export function isStepUsed(used: UsedSteps, step: number): boolean {
  return used.includes(step) || step <= Math.max(...used) - keptSteps;
}

/** Returns the used steps plus the step of an accepted code, without the steps that are too old to keep. Pure. */
export function addUsedStep(used: UsedSteps, step: number): UsedSteps {
  const all = [...used, step];
  const last = Math.max(...all);
  return all.filter((one) => one > last - keptSteps);
}

/** The limit of wrong codes: five in 15 minutes. Source: docs/contract.md, section 8. */
export const codeFailureLimit = { limit: 5, windowSeconds: 15 * 60 } as const;

/**
 * Decides whether a code may be verified. After five wrong codes within 15 minutes, refuses every code, even a correct one, and returns the
 * seconds to wait. Otherwise returns in `failedAtIfWrong` the times of the recent wrong codes and of this attempt. The caller stores these
 * times before it verifies the code, and deletes them if the code is correct. Pure.
 * @param failedAt the times of wrong codes, oldest first
 */
export function decideCodeAttempt(
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
