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
