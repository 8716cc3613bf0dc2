import { checkBooks } from '../database/checks/check-books.queries.js';
import { type CommandEnvironment, withOperatorDatabase } from './open-database.js';

/**
 * Runs `centavo-server check`: recomputes every balance from its movements and prints each difference.
 * @returns the exit code: 0 if all balances are correct, 1 on any difference. Source: contract, section 10
 */
export async function checkCommand(environment: CommandEnvironment): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...environment, report }, async (database) => {
    const { cashboxCount, transferCount, contradictions } = await database.transaction({ readOnly: true }, checkBooks);
    for (const contradiction of contradictions) print(contradiction);
    print(`Checked ${cashboxCount} balances and ${transferCount} transfers: ${contradictions.length} contradictions.`);
    return contradictions.length === 0 ? 0 : 1;
  });
}
