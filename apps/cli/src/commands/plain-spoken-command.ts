import { Command, type Option } from 'commander';
import { UsageError } from '../cli-error.js';

/** A command that refuses a wrong command line as this program refuses everything: what is wrong, and what to do next. */
export class PlainSpokenCommand extends Command {
  override createCommand(name?: string): Command {
    return new PlainSpokenCommand(name);
  }

  /** Overrides a method that commander leaves out of its types: adds to its sentence what the option takes, in the words of the help. */
  missingMandatoryOptionValue({ flags, description }: Option): never {
    return this.error(`required option '${flags}' not specified: ${description}`);
  }

  /**
   * @param message commander's, such as `error: unknown option '--x'`, with `(Did you mean --y?)` on a second line
   * @throws UsageError (exit 2) always
   */
  override error(message: string): never {
    // What was given to an option that does not exist may be a password.
    const told = message.replace(/^error: /, '').replace(/(unknown option '[^'=\n]*)=[^\n]*'/, "$1'");
    const [fault = '', suggestion = ''] = told.split('\n');
    const sentence = fault.slice(0, 1).toUpperCase() + fault.slice(1).replace(/\.$/, '');
    const meant = suggestion.replace(/^\((.*)\)$/, '$1 ');
    throw new UsageError(`${sentence}.`, `${meant}"${pathOf(this)} --help" has the flags and examples.`);
  }
}

/** The words that lead to a command: `centavo movements list`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
