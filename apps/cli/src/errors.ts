/**
 * A refusal that the command line itself makes: what happened, and what to do about it. `exit-codes.ts` turns each
 * kind into its exit code.
 */
export abstract class CliError extends Error {
  readonly remedy: string | undefined;
  /** Lines below the message: the choices, say. */
  readonly details: readonly string[];

  constructor(message: string, remedy?: string, details: readonly string[] = []) {
    super(message);
    this.name = new.target.name;
    this.remedy = remedy;
    this.details = details;
  }
}

/** What was typed, or the file that was named, cannot be used as it is: exit 2. */
export class UsageError extends CliError {}

/** A name or id that nothing has: exit 5. */
export class UnknownNameError extends CliError {}

/** Something is there already that stands in the way: exit 6, as when the server says so. */
export class ConflictError extends CliError {}

/** There is no session and no token, or the session has ended: exit 3. */
export class NotLoggedInError extends CliError {}

/** Ctrl-C: exit 130. `idempotencyKey` is set when a write may have been under way. */
export class InterruptedError extends CliError {
  readonly idempotencyKey: string | undefined;

  constructor(idempotencyKey?: string) {
    const remedy =
      idempotencyKey === undefined
        ? undefined
        : `Whether it was recorded is not known; repeat it with --idempotency-key ${idempotencyKey}, which is safe.`;
    super('Interrupted.', remedy);
    this.idempotencyKey = idempotencyKey;
  }
}

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
