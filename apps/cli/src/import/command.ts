import type { Command } from 'commander';
import { type Cli, defineCommand } from '../commands/shared/define.js';
import { describeError } from '../describe-error.js';
import type { ExitCode } from '../exit-codes.js';
import { confirmPlan } from './confirm.js';
import { addImportFlags, type ImportFlags } from './flags.js';
import { planImport } from './plan/plan.js';
import { readStatement, withRereadableFile } from './read.js';
import { withImportLock } from './record/lock.js';
import { recordStatement } from './record/record.js';
import { reportResult } from './report.js';
import { type ImportRequest, parseRequest } from './request.js';

/**
 * Declares `centavo import`: the rows of a statement become movements, each once, however often the file is imported.
 */
export function addImport(program: Command, cli: Cli): void {
  defineCommand<ImportFlags>(program, cli, {
    usage: 'import <file>',
    summary: 'Record the rows of a statement; importing it again records nothing twice',
    examples: [
      'centavo import statement.csv --account Checking',
      'centavo import statement.csv --account Checking --dry-run --yes',
      'centavo import statement.csv --account Checking --yes -o json',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --create-categories --yes',
      'centavo import export.csv --account Card --date-column Date --date-format DD/MM/YYYY --debit-column Out --credit-column In --yes',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --pair-transfers --yes',
      'centavo import checking.ofx --account Checking --yes',
      'centavo import all-accounts.xml --statement-account "NL26VAYB8060476890=Checking" --statement-account "NL56AGDH9619008421=Savings" --yes',
      'centavo import quicken.qif --create-accounts --create-categories --date-format DD/MM/YYYY --yes',
      'unzip -p export.zip | centavo import - --account Checking --yes',
    ],
    interruption: 'own',
    options: addImportFlags,
    act: (context, flags, [path = '']) =>
      withRereadableFile(path, {
        stdin: context.io.stdin,
        act: async (file) => {
          const request = parseRequest(context, { flags, file });
          return request.isDryRun ? planOnly(request) : withImportLock(context, () => importStatement(request));
        },
      }),
  });
}

/** The four phases of an import. Nothing is created or recorded before the last one. */
async function importStatement(request: ImportRequest): Promise<ExitCode> {
  const input = await readStatement(request);
  const plan = await planImport(request, input);
  const leftOut = await confirmPlan(request, plan);
  const result = await recordStatement(request, { input, plan, leftOut });
  return reportResult(request, { statement: input.statement, result });
}

/**
 * Runs an import as a dry run, to its end if possible, and prints all questions that the import would ask.
 * @throws the error of the first one
 */
async function planOnly(request: ImportRequest): Promise<ExitCode> {
  const { context, questions } = request;
  const ending = await importStatement(request).then(
    (code) => ({ code, errors: [] }),
    (error: unknown) => ({ code: undefined, errors: [error] }),
  );
  const [first, ...others] = new Set([...questions.unanswered, ...ending.errors]);
  if (ending.code !== undefined && first === undefined) return ending.code;
  if (others.length > 0) context.printer.warn('The import would also stop for this:');
  for (const error of others) {
    for (const line of describeError(error)) context.printer.warn(`  ${line}`);
  }
  throw first;
}
