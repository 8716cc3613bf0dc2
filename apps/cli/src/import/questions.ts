import type { CommandContext } from '../commands/shared/context.js';
import type { CliError } from '../errors.js';

/**
 * The questions of an import. An import that cannot ask stops at the first one. A dry run asks nothing: it goes on, and
 * ends with the error of the first question, so that its exit code and message are those of the import.
 */
export class Questions {
  /** The questions that a dry run has not asked, in order. */
  readonly unanswered: CliError[] = [];
  /** Whether the user can be asked. */
  readonly canAsk: boolean;
  /** Why the user cannot be asked, as a sentence. */
  readonly whyNot: string;
  readonly #isDryRun: boolean;

  constructor({ prompt }: CommandContext, { isDryRun }: { isDryRun: boolean }) {
    this.canAsk = prompt.isInteractive && !isDryRun;
    this.whyNot = prompt.isInteractive ? 'A dry run does not ask.' : 'No prompt is possible here.';
    this.#isDryRun = isDryRun;
  }

  /** @throws `error`, except in a dry run */
  refuse(error: CliError): void {
    if (!this.#isDryRun) throw error;
    this.unanswered.push(error);
  }
}
