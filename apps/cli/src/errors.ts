/**
 * An error of the CLI itself, with what happened and what to do. `exit-codes.ts` maps the subclasses in this file to their
 * exit codes. The others, `KeychainError` and `LockedError`, exit 1.
 */
export abstract class CliError extends Error {
  readonly remedy: string | undefined;
  /** Lines below the message, for example the records that the user can choose from. */
  readonly details: readonly string[];

  constructor(message: string, remedy?: string, details: readonly string[] = []) {
    super(message);
    this.name = new.target.name;
    this.remedy = remedy;
    this.details = details;
  }
}

/** The command line, a setting or a file cannot be used, or the user does not confirm: exit 2. */
export class UsageError extends CliError {}

/** No record has this name or id: exit 5. */
export class UnknownNameError extends CliError {}

/** A record that already exists conflicts with the command: exit 6, as for a conflict that the server reports. */
export class ConflictError extends CliError {}

/** No token is set, and the profile has no valid session at this server: exit 3. */
export class NotLoggedInError extends CliError {}

/** Ctrl-C: exit 130. `idempotencyKey` is set if a write with an idempotency key was in progress. */
export class InterruptedError extends CliError {
  readonly idempotencyKey: string | undefined;

  constructor(idempotencyKey?: string) {
    const remedy =
      idempotencyKey === undefined
        ? undefined
        : `The change may have been recorded. It is safe to repeat the command with --idempotency-key ${idempotencyKey}.`;
    super('Interrupted.', remedy);
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * A remedy and optionally a message, which replace the remedy and the message of an error. The lines in `details` are printed
 * below the message.
 */
interface Advice {
  readonly message?: string;
  readonly details?: readonly string[];
  readonly remedy: string;
}

/**
 * Returns the result of a call. If the call fails, replaces the remedy of the error, and optionally its message, with text
 * that fits the command. The exit code remains that of the original error.
 *
 * @param advise returns the text, or undefined to rethrow the error unchanged
 */
export async function withAdvice<Result>(
  call: PromiseLike<Result>,
  advise: (error: unknown) => Advice | undefined,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const advice = advise(error);
    if (advice === undefined) throw error;
    throw new AdvisedError(error, advice);
  }
}

/** The error of a failed call, with a remedy that fits the command. */
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
