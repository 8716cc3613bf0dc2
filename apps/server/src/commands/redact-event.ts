import { isUuid } from '@centavo/contracts';
import { redactEvent } from '../resources/events/index.js';
import { type CommandEnvironment, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server redact-event TRACKER NUMBER
Permanently erases the change and the salt of an event. The hash chain stays valid.
`;

/**
 * Runs `centavo-server redact-event TRACKER NUMBER`, which erases the recorded change and the salt of an event. Existing backups still
 * contain the change and the salt.
 * @returns the exit code: 0 done, 1 if the tracker has no such event or if the command fails, 2 for wrong arguments
 * @source docs/additions.md, section 4.1
 */
export async function redactEventCommand(environment: CommandEnvironment, args: readonly string[]): Promise<number> {
  const [trackerId = '', number = '', surplus] = args;
  if (!isUuid(trackerId) || !/^[1-9]\d{0,14}$/.test(number) || surplus !== undefined) {
    process.stderr.write(`redact-event takes the id of a tracker and the number of an event.\n${usage}`);
    return 2;
  }
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...environment, report }, async (database) => {
    const isRedacted = await database.transaction({ readOnly: false }, (tx) =>
      redactEvent(tx, { trackerId, sequence: Number(number) }),
    );
    if (!isRedacted) {
      report(
        `The tracker ${trackerId} has no event with the number ${number}. "centavo audit list" shows the numbers.`,
      );
      return 1;
    }
    process.stdout.write(`Redacted event ${number} of the tracker ${trackerId}.\n`);
    return 0;
  });
}
