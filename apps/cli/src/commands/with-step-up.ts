import { isStepUpRequiredError } from '@centavo/sdk';
import type { Invocation } from './invocation.js';
import { giveCode } from './totp/give-code.js';

/**
 * Makes a call that may ask for a recent one-time code. When it does, the code of `--code`, or the one that the person
 * types, is verified, the session goes on with the new token, and the call is made once more.
 *
 * A code works once, so it is spent only after the server has asked for it.
 * @throws StepUpRequiredError (exit 3) when there is no code and nobody to ask
 */
export async function withStepUp<Answer>(
  invocation: Invocation,
  code: string | undefined,
  call: () => PromiseLike<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!isStepUpRequiredError(error)) throw error;
    const { connection, asker } = invocation;
    if (code === undefined && !asker.canAsk) throw error;
    const typed = code ?? (await asker.askText('One-time code'));
    await giveCode(connection, { purpose: 'verify', code: typed, isEnrolled: false });
    return call();
  }
}
