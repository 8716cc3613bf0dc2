import { serverVersion } from '../version.js';
import { checkCommand } from './check.js';
import { databaseUrlCommand } from './database-url.js';
import { discardUndecryptableCommand } from './discard-undecryptable.js';
import type { Installation } from './installation.js';
import { createLegacyKeyCommand } from './legacy-key.js';
import { migrateCommand } from './migrate.js';
import type { CommandEnvironment } from './open-database.js';
import { redactEventCommand } from './redact-event.js';
import { shardCommand } from './shard.js';
import { startCommand } from './start.js';

const commandsAndOptions = `Usage: centavo-server <command>

Commands:
  start                apply migrations and serve the API (the default)
  migrate              apply migrations and exit
  shard                apply migrations and distribute the tables over the nodes of Citus; safe to repeat
  check [--chain]      recompute every balance from its movements; exit code 1 on any difference
                       --chain: also verify the hash chain of events, and compare every record with the chain
  database-url         print the URL of the database, password included, for psql and pg_dump;
                       the embedded database has a URL only while a server runs
  legacy-key create    create a legacy key (as in the API before v1.1) and print its secret
                       --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
                       without --tracker, the key may use all trackers of its user, including later ones
  redact-event TRACKER NUMBER
                       erase the change and the salt of an event; the hash chain stays valid
  discard-undecryptable KEYID
                       delete the secrets encrypted with a lost key of ENCRYPTION_KEY; affected users must
                       enrol their authenticators again; webhook endpoints with a lost secret are paused

Options:
  --help               print this help
  --version            print the version

All settings are environment variables, such as PORT and DATA_DIR; docs/configuration.md lists them.
`;

/** The commands without arguments. */
const plainCommands: Readonly<Record<string, (environment: CommandEnvironment) => Promise<number>>> = {
  start: startCommand,
  migrate: migrateCommand,
  shard: shardCommand,
  'database-url': databaseUrlCommand,
};

/**
 * Runs one of the server's commands.
 * @returns the exit code: 0 done, 1 failed, 2 for wrong arguments, with the reason on stderr
 */
export async function runServerCommand(args: readonly string[], installation: Installation): Promise<number> {
  const [command = 'start', ...rest] = args;
  const environment = { ...installation, env: process.env };
  if (['help', '--help', '-h'].includes(command) || rest.includes('--help')) return print(usageOf(installation));
  if (command === '--version') return print(`${serverVersion}\n`);
  if (command === 'legacy-key' && rest[0] === 'create') return createLegacyKeyCommand(environment, rest.slice(1));
  if (command === 'legacy-key') return refuse('legacy-key needs the subcommand create', installation);
  if (command === 'check') return checkCommand(environment, rest);
  if (command === 'redact-event') return redactEventCommand(environment, rest);
  if (command === 'discard-undecryptable') return discardUndecryptableCommand(environment, rest);
  const run = Object.hasOwn(plainCommands, command) ? plainCommands[command] : undefined;
  if (run === undefined) {
    return refuse(`Unknown ${command.startsWith('-') ? 'option' : 'command'} ${command}`, installation);
  }
  const [surplus] = rest;
  if (surplus === undefined) return run(environment);
  return refuse(
    `${command} takes no options, but ${surplus} was given; set PORT, DATA_DIR and other settings as environment variables`,
    installation,
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function usageOf({ docs }: Installation): string {
  return `${commandsAndOptions}The directory docs is ${docs}.\n`;
}

function refuse(message: string, installation: Installation): number {
  process.stderr.write(`${message}.\n\n${usageOf(installation)}`);
  return 2;
}
