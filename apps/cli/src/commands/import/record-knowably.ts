import { type FinancialClient, isNotFoundError } from '@centavo/sdk';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { Printer } from '../../ui/printer.js';
import type { ExportedMovement, PreparedPair, PreparedRow } from './prepare-rows.js';
import { recordRow } from './record-row.js';
import type { RecordOutcome } from './record-rows.js';

/**
 * Records rows of a statement so that a later reading of it knows them: by what, is kept before the first of them is
 * sent, and not earlier, because a reading that records nothing must not settle it for the right one. Where it cannot be
 * kept the rows are recorded all the same, and the danger is told once.
 *
 * A row of Centavo's own export that is a movement of the very account it goes to is there already, under whatever key it
 * was recorded with; into another account it is another movement (contract, section 11). Each is asked for by its id, which
 * takes a call but no memory; a key that may not read movements cannot know, so the import stops there.
 */
export function recordKnowably(
  client: FinancialClient,
  { statement, printer }: { statement: OpenedStatement; printer: Printer },
): (row: PreparedRow | PreparedPair) => Promise<RecordOutcome> {
  const keep = async () => {
    try {
      await statement.keepIdentity?.();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      printer.warn(`It cannot be kept which columns the rows were recorded with (${reason}).`);
      printer.warn('Importing this file again with other columns would record its rows a second time.');
    }
  };
  let kept: Promise<void> | undefined;
  return async (row) => {
    kept ??= keep();
    await kept;
    for (const origin of row.exportedFrom) {
      if (await isInAccount(client, origin)) return row.outcome === 'prepared' ? 'replayed' : 'apart';
    }
    return recordRow(client, row);
  };
}

/** Whether a movement is in the account that its row goes to. */
async function isInAccount(client: FinancialClient, { id, accountId }: ExportedMovement): Promise<boolean> {
  try {
    const movement = await client.movements.get(id);
    return movement.accountId.toLowerCase() === accountId.toLowerCase();
  } catch (error) {
    if (isNotFoundError(error)) return false;
    throw error;
  }
}
