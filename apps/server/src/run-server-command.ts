import { fileURLToPath } from 'node:url';
import { checkCommand } from './commands/check.js';
import { createLegacyKeyCommand } from './commands/create-legacy-key.js';
import { migrateCommand } from './commands/migrate.js';
import { startCommand } from './commands/start.js';

const usage = `Usage: centavo-server <command>

Commands:
  start                apply migrations and serve the API (the default)
  migrate              apply migrations and end
  check                recompute every balance from its movements; exit code 1 on any difference
  legacy-key create    make a key of the interface before v1.1 and print its secret
                       --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
`;

/** The repository's root when built to apps/server/dist, and so the default place of DATA_DIR. */
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Runs one of the server's commands.
 * @returns the exit code: 0 done, 1 failed, 2 unknown command
 */
export async function runServerCommand(words: readonly string[]): Promise<number> {
  const [command = 'start', ...rest] = words;
  const place = { defaultDataDir: `${repository}.centavo`, migrations, env: process.env };
  if (rest.length === 0 && command === 'start') return startCommand(place);
  if (rest.length === 0 && command === 'migrate') return migrateCommand(place);
  if (rest.length === 0 && command === 'check') return checkCommand(place);
  if (command === 'legacy-key' && rest[0] === 'create') return createLegacyKeyCommand(place, rest.slice(1));
  process.stderr.write(usage);
  return command === 'help' || command === '--help' ? 0 : 2;
}
