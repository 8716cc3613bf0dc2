/** What a command says instead of the server; `details` are lines below the message. */
interface Advice {
  readonly message?: string;
  readonly details?: readonly string[];
  readonly remedy: string;
}

/**
 * Lets a call fail as it does, told with what the command knows better than the refusal: another remedy, and where the
 * server speaks of what this program does not show, another sentence. The exit code stays that of the refusal.
 *
 * @param advise the advice on an error, or undefined where the command knows nothing better
 */
export async function withAdvice<Answer>(
  call: PromiseLike<Answer>,
  advise: (error: unknown) => Advice | undefined,
): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    const advice = advise(error);
    if (advice === undefined) throw error;
    throw new AdvisedError(error, advice);
  }
}

/** A refusal of the server with the remedy that fits the command. */
export class AdvisedError extends Error {
  override readonly cause: unknown;
  readonly advice: Advice;

  constructor(cause: unknown, advice: Advice) {
    super(advice.message ?? (cause instanceof Error ? cause.message : String(cause)));
    this.name = 'AdvisedError';
    this.cause = cause;
    this.advice = advice;
  }
}
