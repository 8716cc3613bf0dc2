import { checkBooks } from '../database/checks/check-books.queries.js';
import type { Database } from '../database/pool.js';
import { assumeRole } from '../database/query.js';
import { checkChain } from '../resources/events/index.js';
import { describeBooksCheck, describeChainCheck } from './describe-check.js';
import { type CommandEnvironment, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server check [--chain]
Recomputes every balance and count from the movements, and checks every transfer. With --chain, also verifies the hash chain of every tracker and compares
every record with its last event. Exit code 1 on any difference.
`;

const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs `centavo-server check`: recomputes the balance and the counts of every cashbox from its movements, checks every transfer, and prints
 * each difference. With `--chain` it also verifies the hash chain of each tracker and compares each record with its last event.
 * @returns the exit code: 0 if everything is correct, 1 on any difference or failure, 2 for wrong arguments
 * @source docs/contract.md, section 10; docs/additions.md, section 4.3
 */
export async function checkCommand(environment: CommandEnvironment, args: readonly string[] = []): Promise<number> {
  const [option, surplus] = args;
  if (surplus !== undefined || (option !== undefined && option !== '--chain')) {
    process.stderr.write(`check takes the option --chain only, but ${surplus ?? option} was given.\n${usage}`);
    return 2;
  }
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...environment, report }, async (database) => {
    const checked = await database.transaction({ readOnly: true }, checkBooks);
    const { contradictions } = checked;
    for (const contradiction of contradictions) print(contradiction);
    print(describeBooksCheck(checked));
    const chainContradictions = option === undefined ? 0 : await printChainCheck(database);
    return contradictions.length + chainContradictions === 0 ? 0 : 1;
  });
}

/** Checks the hash chains and the records. Prints each difference, and returns the number of differences. */
async function printChainCheck(database: Database): Promise<number> {
  // `dryRun` makes all statements read one snapshot, so that writes of a running server cannot look like differences.
  const checked = await database.transaction({ readOnly: false, dryRun: true }, async (tx) => {
    await assumeRole(tx, 'centavo_definer');
    return checkChain(tx, print);
  });
  for (const line of describeChainCheck(checked)) print(line);
  return checked.contradictionCount;
}
