import { Command, CommanderError, type Option } from 'commander';
import { addCommands } from './commands/index.js';
import type { Cli } from './commands/shared/define.js';
import { describeError } from './describe-error.js';
import { UsageError } from './errors.js';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.js';
import type { Io } from './io.js';
import { toOneLine, toPlainText } from './ui/text.js';
import { cliVersion } from './version.js';

/**
 * Runs one command line and returns its exit code. Data goes to stdout, everything else to stderr. Never throws.
 *
 * @param args the command line without node and the script
 */
export async function runCli(args: readonly string[], io: Io): Promise<ExitCode> {
  const cli: Cli = { io, exitCode: exitCodes.ok };
  try {
    await composeProgram(cli).parseAsync([...args], { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander throws after it has printed the help or the version, so nothing else is printed.
    if (!(error instanceof CommanderError)) {
      const [first, ...others] = describeError(error);
      const lines = [`centavo: ${first}`, ...others].map((line) => `${toOneLine(redactSecrets(line))}\n`);
      io.stderr.write(lines.join(''));
    }
    return exitCodeOf(error);
  }
}

/** Redacts secrets. If a user enters a secret instead of a name, an error message may quote the secret, and cron may mail the message. */
function redactSecrets(text: string): string {
  return text.replace(/centavo_[a-z]+_[0-9A-Za-z]{8,}/g, 'centavo_…').replace(/whsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_…');
}

/** Returns the whole program: global flags, then all commands. */
export function composeProgram(cli: Cli): Command {
  const { stdout, stderr } = cli.io;
  const program = new CliCommand('centavo')
    .description('Record expenses, incomes and transfers from a terminal or cron')
    .version(cliVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(toPlainText(text)),
      getOutHelpWidth: () => stdout.columns || 100,
      getErrHelpWidth: () => stderr.columns || 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .option('--base-url <url>', 'address of the API (CENTAVO_BASE_URL)')
    .option('--tracker <tracker>', 'use this tracker, id or name (CENTAVO_TRACKER)')
    .option('--profile <name>', 'use this profile (CENTAVO_PROFILE)')
    .option('-o, --output <format>', 'table, json, jsonl or csv (default: table)')
    .option('--no-color', 'print no colours (NO_COLOR)')
    .option('--quiet', 'print only data, warnings and errors')
    .option('--no-input', 'never prompt; fail if an answer is missing')
    .option('--timeout <seconds>', 'time limit of a request, retries included (default: 30)')
    .option('--token-stdin', 'read the key or token from standard input (CENTAVO_TOKEN)')
    .addHelpText(
      'after',
      `
Examples:
  $ centavo login --email ana@example.com
  $ centavo import statement.csv --account Checking
  $ centavo balances -o json

Exit codes: 0 ok, 1 failure, 2 usage, 3 authentication, 4 forbidden, 5 not found, 6 conflict,
7 rate limited, 8 server, 9 network or outcome unknown, 130 interrupted.`,
    );
  addCommands(program, cli);
  return program;
}

/** A command that reports an invalid command line in the format of all other errors: what is wrong, then what to do. */
class CliCommand extends Command {
  override createCommand(name?: string): Command {
    return new CliCommand(name);
  }

  /** Adds the description of the missing option to the error message. Overrides a method that the types of commander omit. */
  missingMandatoryOptionValue({ flags, description }: Option): never {
    return this.error(`required option '${flags}' not specified: ${description}`);
  }

  /**
   * Throws commander's message as a usage error.
   * @param message commander's message, such as `error: unknown option '--x'`, with `(Did you mean --y?)` on a second line
   * @throws UsageError (exit 2) always
   */
  override error(message: string): never {
    // Removes the value of an unknown option, because the value may be a password.
    const redacted = message.replace(/^error: /, '').replace(/(unknown option '[^'=\n]*)=[^\n]*'/, "$1'");
    const [fault = '', suggestion = ''] = redacted.split('\n');
    const sentence = fault.slice(0, 1).toUpperCase() + fault.slice(1).replace(/\.$/, '');
    const meant = suggestion.replace(/^\((.*)\)$/, '$1 ');
    throw new UsageError(`${sentence}.`, `${meant}"${pathOf(this)} --help" lists the flags and examples.`);
  }
}

/** Returns the words of a command, such as `centavo movements list`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
