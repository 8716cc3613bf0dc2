import type { ImportInput } from '../read.js';
import type { ImportRequest } from '../request.js';
import { requireStatementAccounts } from './accounts.js';
import { type DuplicateCheck, findDuplicates } from './duplicates.js';
import { type PairPlan, planPairs } from './pairs.js';

/** What an import found out before it records a row. */
export interface ImportPlan {
  /** Rows that another user or key has recorded. `forbidden`: the credential may not look for them. */
  readonly duplicates: DuplicateCheck | 'not checked' | 'forbidden';
  /** Undefined without `--pair-transfers`. */
  readonly pairs: PairPlan | undefined;
}

/**
 * Checks the accounts of the file, looks for rows that another user or key has recorded, and finds pairs of rows that
 * become transfers. Records nothing.
 *
 * @throws UsageError (exit 2) if an account of the file does not exist
 */
export async function planImport(request: ImportRequest, input: ImportInput): Promise<ImportPlan> {
  const { flags, choice, pairWindowDays } = request;
  const { statement, targets } = input;
  await requireStatementAccounts(statement.accounts ?? [], { resolver: targets.accounts, choice, flags });
  const duplicates = await checkDuplicates(request, input);
  const pairs =
    pairWindowDays === undefined ? undefined : await planPairs(statement, { targets, windowDays: pairWindowDays });
  return { duplicates, pairs };
}

/** `--record-again` has confirmed duplicates already, and sends no request for them. */
async function checkDuplicates(
  { flags }: ImportRequest,
  { client, statement, targets, canReadMovements }: ImportInput,
): Promise<ImportPlan['duplicates']> {
  if (!canReadMovements || flags.recordAgain === true) return 'not checked';
  return (await findDuplicates(client, { statement, targets })) ?? 'forbidden';
}
