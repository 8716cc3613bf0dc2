import { isAuthenticationError, isStateConflictError, isStepUpRequiredError, type SteppedUp } from '@centavo/sdk';
import { withAdvice } from '../../advised-error.js';
import type { Connection } from '../../client/connect.js';

/** A code of the app in force (`verify`), or the first one of an app that waits for it (`confirm`). */
export interface GivenCode {
  readonly purpose: 'verify' | 'confirm';
  readonly code: string;
  /** Whether an app is in force already, which tells what it means that none waits. */
  readonly isEnrolled: boolean;
}

/**
 * Gives the server a one-time code, and goes on with the token that it brings. The credential itself must have been
 * accepted just before: the server refuses it and a wrong code alike, and here a refusal is taken for a wrong code.
 *
 * @throws AdvisedError with the exit code of the refusal: 3 for a wrong or used code, 6 where no app waits for one
 */
export async function giveCode(connection: Connection, given: GivenCode): Promise<void> {
  const { identity } = connection.client;
  const { code, purpose } = given;
  const call: PromiseLike<SteppedUp> =
    purpose === 'confirm' ? identity.confirmTotp({ code }) : identity.verifyTotp({ code });
  const steppedUp = await withAdvice(call, (error) => {
    if (isStateConflictError(error) && error.reason === 'not_enrolled') return adviseNoneWaiting(given);
    const isWrongCode = isAuthenticationError(error) && !isStepUpRequiredError(error);
    return isWrongCode && error.code === 'CREDENTIAL_INVALID' ? { remedy: adviseNextCode(purpose) } : undefined;
  });
  await connection.useSteppedUp(steppedUp);
}

function adviseNextCode(purpose: GivenCode['purpose']): string {
  const next = 'Wait for the next code of your app, and give that one';
  return purpose === 'verify'
    ? `${next}.`
    : `${next} with "centavo totp verify --confirm --code DIGITS"; the seed stays the same.`;
}

function adviseNoneWaiting({ isEnrolled }: GivenCode): { message: string; remedy: string } {
  return isEnrolled
    ? {
        message: 'Your authenticator app is confirmed already, and no other one waits for its first code.',
        remedy: 'Use its codes as they are; "centavo totp enrol --code DIGITS" begins with another app.',
      }
    : { message: 'No authenticator app waits for its first code.', remedy: 'Set one up with "centavo totp enrol".' };
}
