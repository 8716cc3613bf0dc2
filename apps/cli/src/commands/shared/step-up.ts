import { isAuthenticationError, isStateConflictError, isStepUpRequiredError, type SteppedUp } from '@centavo/sdk';
import type { Connection } from '../../client/connect.js';
import { AdvisedError, withAdvice } from '../../errors.js';
import type { CommandContext } from './context.js';

/**
 * Sends a call that may require a recent one-time code. If the server requires a code, sends the code from `--code` or the
 * prompt. The server then returns a new access token, with which the call is sent again. The prompt asks at most three times,
 * because the server rejects all codes after five failures in 15 minutes.
 *
 * A code works once, so it is sent only after the server has required it.
 * @throws StepUpRequiredError (exit 3) when there is no code and no prompt, or when the call needs a new login
 */
export async function withStepUp<Result>(
  context: CommandContext,
  code: string | undefined,
  call: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    const response = await call();
    if (code !== undefined) context.printer.note('The server did not need --code and did not verify it.');
    return response;
  } catch (error) {
    if (!isStepUpRequiredError(error) || error.method === 'password') throw error;
    if (code === undefined && !context.prompt.isInteractive) throw error;
    if (code === undefined) await promptForCode(context);
    else await submitCode(context.connection, { purpose: 'verify', code, isEnrolled: false });
    return call();
  }
}

async function promptForCode({ connection, prompt, printer }: CommandContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const code = (await prompt.text('One-time code')).replace(/\s/g, '');
    try {
      await submitCode(connection, { purpose: 'verify', code, isEnrolled: false });
      return;
    } catch (error) {
      const isWrongCode = error instanceof AdvisedError && isAuthenticationError(error.cause);
      if (!isWrongCode || attempt === attemptsMax) throw error;
      printer.warn('That code is wrong or was used before. Wait for the next code of your app.');
    }
  }
}

const attemptsMax = 3;

/** A code of the enrolled authenticator app (`verify`), or the first code of a new app (`confirm`). */
export interface GivenCode {
  readonly purpose: 'verify' | 'confirm';
  readonly code: string;
  /** Whether an app is already enrolled. The error message depends on this value if no new app is waiting to be confirmed. */
  readonly isEnrolled: boolean;
}

/**
 * Sends a one-time code, and uses the access token of the response for later requests. The server rejects an invalid
 * credential and a wrong code with the same error, which this function treats as a wrong code. So call this function only
 * after the server has accepted the credential in an earlier request.
 *
 * @throws AdvisedError with the exit code of the rejection: 3 for a wrong or used code, 6 when no new app is waiting to be
 *   confirmed
 */
export async function submitCode(connection: Connection, given: GivenCode): Promise<void> {
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
  const next = 'Wait for the next code of your app, and use that code';
  return purpose === 'verify'
    ? `${next}.`
    : `${next} with "centavo totp verify --confirm --code DIGITS"; the secret stays the same.`;
}

function adviseNoneWaiting({ isEnrolled }: GivenCode): { message: string; remedy: string } {
  return isEnrolled
    ? {
        message: 'Your authenticator app is confirmed already, and no other app was set up.',
        remedy: 'Its codes work. "centavo totp enrol --code DIGITS" sets up another app.',
      }
    : { message: 'No authenticator app was set up.', remedy: 'Set one up with "centavo totp enrol".' };
}
