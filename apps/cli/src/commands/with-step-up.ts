import { isAuthenticationError, isStepUpRequiredError } from '@centavo/sdk';
import { AdvisedError } from '../advised-error.js';
import type { Invocation } from './invocation.js';
import { giveCode } from './totp/give-code.js';

/**
 * Makes a call that may ask for a recent one-time code. When it does, the code of `--code`, or the one that the person
 * types, is verified, the session goes on with the new token, and the call is made once more. Whoever mistypes it is
 * asked again, three times in all: the server counts failures and would lock the account for a while after five.
 *
 * A code works once, so it is spent only after the server has asked for it.
 * @throws StepUpRequiredError (exit 3) when there is no code and nobody to ask, and when the call needs a new log-in
 */
export async function withStepUp<Answer>(
  invocation: Invocation,
  code: string | undefined,
  call: () => PromiseLike<Answer>,
): Promise<Answer> {
  try {
    const answer = await call();
    if (code !== undefined) invocation.printer.note('--code was not needed, and was not verified.');
    return answer;
  } catch (error) {
    if (!isStepUpRequiredError(error) || error.method === 'password') throw error;
    if (code === undefined && !invocation.asker.canAsk) throw error;
    if (code === undefined) await askForCode(invocation);
    else await giveCode(invocation.connection, { purpose: 'verify', code, isEnrolled: false });
    return call();
  }
}

async function askForCode({ connection, asker, printer }: Invocation): Promise<void> {
  for (let asked = 1; ; asked += 1) {
    const code = (await asker.askText('One-time code')).replace(/\s/g, '');
    try {
      await giveCode(connection, { purpose: 'verify', code, isEnrolled: false });
      return;
    } catch (error) {
      const isWrongCode = error instanceof AdvisedError && isAuthenticationError(error.cause);
      if (!isWrongCode || asked === askedMax) throw error;
      printer.warn('That code was not right. A code works once: wait for the next one of your app.');
    }
  }
}

const askedMax = 3;
