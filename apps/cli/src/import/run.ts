import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../commands/shared/context.js';
import { acquireFileLock } from '../config/file-lock.js';
import { configDirectory } from '../config/files.js';
import { describeError } from '../describe-error.js';
import { CliError } from '../errors.js';
import type { ExitCode } from '../exit-codes.js';
import { confirmPlan, type ImportPlan } from './confirm.js';
import { requireStatementAccounts } from './plan/accounts.js';
import { findDuplicates } from './plan/duplicates/find-duplicates.js';
import { planPairs } from './plan/pairs/plan-pairs.js';
import { RecordedTransfers } from './plan/recorded/recorded-transfers.js';
import { type ImportInput, readStatement, withRereadableFile } from './read/read.js';
import { recordStatement } from './record/record.js';
import { reportResult } from './report.js';
import { type ImportFlags, type ImportRequest, parseRequest } from './request.js';
import { undoImport } from './undo/undo.js';

/**
 * Imports a statement, plans the import (`--dry-run`) or undoes an earlier import (`--undo`). Returns the exit code.
 * @param path the path of the file, or `-` for standard input
 */
export function runImport(
  context: CommandContext,
  { flags, path }: { flags: ImportFlags; path: string },
): Promise<ExitCode> {
  return withRereadableFile(path, {
    stdin: context.io.stdin,
    act: async (file) => {
      const request = parseRequest(context, { flags, file });
      if (flags.undo === true) return withImportLock(context, () => undo(request));
      return request.isDryRun ? planOnly(request) : withImportLock(context, () => importStatement(request));
    },
  });
}

/** Runs the phases of an import, and returns its exit code. Before `recordStatement`, nothing changes on the server. */
async function importStatement(request: ImportRequest): Promise<ExitCode> {
  const input = await readStatement(request);
  const plan = await planImport(request, input);
  const leftOut = await confirmPlan(request, plan);
  const result = await recordStatement(request, { input, plan, leftOut });
  return reportResult(request, { statement: input.statement, result });
}

/** Voids the movements and transfers that an import with the same flags recorded. Returns the exit code. */
async function undo(request: ImportRequest): Promise<ExitCode> {
  const input = await readStatement(request);
  const { statement, destinations } = input;
  const { flags, accountChoice, pairWindowDays } = request;
  await requireStatementAccounts(statement.accounts ?? [], { resolver: destinations.accounts, accountChoice, flags });
  // `planPairs` does not pair rows whose transfer is already recorded. The undo needs the pairs that the import made, so it passes no
  // recorded transfers.
  const ofImport = { ...destinations, transfers: RecordedTransfers.none() };
  const pairs =
    pairWindowDays === undefined
      ? undefined
      : await planPairs(statement, { destinations: ofImport, windowDays: pairWindowDays });
  return undoImport(request, { input, pairs });
}

/**
 * Returns the plan of an import. Checks the accounts of the file, searches for rows that are recorded under other
 * idempotency keys, and finds pairs of rows that become transfers. Records nothing.
 *
 * @throws UsageError (exit 2) if `requireStatementAccounts` rejects an account of the file
 */
async function planImport(request: ImportRequest, input: ImportInput): Promise<ImportPlan> {
  const { flags, accountChoice, pairWindowDays } = request;
  const { statement, destinations } = input;
  await requireStatementAccounts(statement.accounts ?? [], { resolver: destinations.accounts, accountChoice, flags });
  const duplicates = await checkDuplicates(request, input);
  const pairs =
    pairWindowDays === undefined ? undefined : await planPairs(statement, { destinations, windowDays: pairWindowDays });
  return { duplicates, pairs };
}

/**
 * Searches for rows that are recorded under other idempotency keys. With `--record-again`, the user wants to record such
 * rows again, so the result contains no duplicates.
 * @returns `not checked` if the credential may not read movements; `forbidden` if the server refused the search
 */
async function checkDuplicates(
  { flags }: ImportRequest,
  { client, statement, destinations, canReadMovements }: ImportInput,
): Promise<ImportPlan['duplicates']> {
  if (!canReadMovements) return 'not checked';
  const acceptsDuplicates = flags.recordAgain === true;
  return (await findDuplicates(client, { statement, destinations, acceptsDuplicates })) ?? 'forbidden';
}

/**
 * Runs an import as a dry run, which asks nothing. `Questions` collects an error for each question that the import would ask, and the dry
 * run continues, so that it finds all of them. The first of these errors is thrown, and the others are printed before it.
 * @throws the error of the first question, or the error that ended the dry run if there was no question
 */
async function planOnly(request: ImportRequest): Promise<ExitCode> {
  const { context, questions } = request;
  const ending = await importStatement(request).then(
    (code) => ({ code, errors: [] }),
    (error: unknown) => ({ code: undefined, errors: [error] }),
  );
  const [first, ...others] = new Set([...questions.unanswered, ...ending.errors]);
  if (ending.code !== undefined && first === undefined) return ending.code;
  if (others.length > 0) context.printer.warn('The import would stop for the error at the end, and for these reasons:');
  for (const error of others) {
    for (const line of describeError(error)) context.printer.warn(`  ${line}`);
  }
  throw first;
}

/**
 * Runs an import or an undo under a lock. On one machine, imports and undos that use the same configuration directory run
 * one at a time, even if they use different profiles. Before an import records a row, it reads the accounts, the
 * transfers, and the columns from which idempotency keys are calculated. Without the lock, a concurrent import could record the same
 * rows after these reads, and the money might count twice. If the lock cannot be created, the command prints a warning
 * and continues.
 *
 * @throws InterruptedError (exit 130) if Ctrl-C ended the wait; every error of `act`
 */
async function withImportLock<Result>({ io, printer }: CommandContext, act: () => Promise<Result>): Promise<Result> {
  const { env, clock, interruption } = io;
  // Each machine has its own lock file, even if several machines share a home directory: a machine cannot check whether
  // the process that created a lock on another machine still runs.
  const path = join(configDirectory(env), `import-${hostname().replace(/[^\w.-]/g, '_')}.lock`);
  const onWait = (pid: number | undefined) =>
    printer.warn(`Another import is running (process ${pid ?? 'unknown'}). Waiting for it to finish.`);
  const release = await acquireFileLock(path, { clock, interruption, onWait }).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    printer.warn(`Could not prevent other imports (${reason}). Do not run another import until this import finishes.`);
    return async () => {};
  });
  try {
    return await act();
  } finally {
    await release();
  }
}
