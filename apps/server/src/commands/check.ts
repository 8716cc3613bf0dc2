import { checkBooks } from '../database/check-books.queries.js';
import { type CommandPlace, withOperatorDatabase } from './open-database.js';

/**
 * `centavo-server check`: recomputes every balance from its movements and tells what does not add up.
 * @returns the exit code: 0 when the books are right, 1 on any difference. Source: contract, section 10
 */
export async function checkCommand(place: CommandPlace): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const remark = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...place, say: remark }, async (database) => {
    const { cashboxCount, transferCount, contradictions } = await database.transaction({ readOnly: true }, checkBooks);
    for (const contradiction of contradictions) say(contradiction);
    say(`Checked ${cashboxCount} balances and ${transferCount} transfers: ${contradictions.length} contradictions.`);
    return contradictions.length === 0 ? 0 : 1;
  });
}
