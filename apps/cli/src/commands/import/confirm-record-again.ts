import { type FinancialClient, isPermissionError } from '@centavo/sdk';
import { ConflictError } from '../../errors.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { CommandContext as Invocation } from '../shared/context.js';
import { decideRecordAgain } from './decide-record-again.js';
import { findRecordedElsewhere, type RecordedElsewhere } from './find-recorded-elsewhere.js';
import { identifyRows } from './identify-rows.js';
import type { ImportFlags } from './import-flags.js';
import type { RowTargets } from './row-targets.js';
import { sampleRows } from './sample-rows.js';

/**
 * Looks whether rows of a statement stand in their accounts already, recorded through another user or key, and has a
 * person confirm that they are to be recorded once more. `--record-again` has confirmed it and asks nothing of the
 * server; a dry run only tells. A credential that may not look goes on, and is told.
 *
 * @throws ConflictError (exit 6) when it is not confirmed, or nobody can be asked
 */
export async function confirmRecordAgain(
  client: FinancialClient,
  request: { statement: OpenedStatement; targets: RowTargets; invocation: Invocation; flags: ImportFlags },
): Promise<void> {
  const { statement, targets, flags } = request;
  const { printer, prompt } = request.invocation;
  if (flags.recordAgain === true) return;
  // Of equal rows the first stands for all, so that none has to be counted.
  const rows = identifyRows(sampleRows(statement.rows(), statement.rowCount), targets, { mayRepeat: () => false });
  const looked = await findIfAllowed(client, rows);
  if (looked === undefined) {
    printer.note('This key may not record, so rows that another user or key has recorded cannot be told from others.');
    return;
  }
  const { lookedAtCount, found } = looked;
  if (decideRecordAgain({ lookedAtCount, foundCount: found.length }) === 'go on') return;
  const message = describe(looked);
  if (flags.dryRun === true) {
    printer.warn(message);
    printer.warn(`An import would stop here. ${remedy}`);
    return;
  }
  // What --yes accepts is what a file is read as; who wrote it into a script could not foresee this.
  if (!prompt.isInteractive || flags.yes === true) throw new ConflictError(message, remedy);
  printer.warn(message);
  if (await prompt.confirm('Record the rows of this file once more?', 'no')) return;
  throw new ConflictError('Nothing was recorded.', remedy);
}

const remedy =
  'Keys of an import belong to the user or key that made it: use that one again, or --record-again to record the rows once more.';

async function findIfAllowed(
  ...[client, rows]: Parameters<typeof findRecordedElsewhere>
): Promise<RecordedElsewhere | undefined> {
  try {
    return await findRecordedElsewhere(client, rows);
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}

function describe({ lookedAtCount, found }: RecordedElsewhere): string {
  const isOne = lookedAtCount === 1;
  const subject = isOne ? 'The row that was looked at is' : `${found.length} of ${lookedAtCount} rows looked at are`;
  const accounts = nameSome(found.map(({ accountName }) => accountName));
  const sources = nameSome(found.map(({ source }) => `${source.type === 'user' ? 'user' : 'key'} ${source.id}`));
  return `${subject} in ${accounts} already, recorded by ${sources}, and not by an import of this file as who you are now.`;
}

function nameSome(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.slice(0, namedMax).join(', ') + (all.length > namedMax ? ' and others' : '');
}

const namedMax = 3;
