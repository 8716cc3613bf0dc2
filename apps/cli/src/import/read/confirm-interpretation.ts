import type { OpenedStatement, Question } from '@centavo/statement-reader';
import type { CommandContext } from '../../commands/shared/context.js';
import { UsageError } from '../../errors.js';
import type { AccountResolver } from '../plan/accounts.js';
import { type CategoryResolver, describeLeftOutCategories } from '../plan/categories.js';
import type { ImportRequest } from '../request.js';

/**
 * Prints how a statement is going to be read. If there is a question, the user must confirm that the statement is read correctly.
 * There is a question, for example, if date or amount columns were guessed, or if nothing distinguishes expenses from incomes.
 * `--yes` confirms what is printed, but does not answer a question for which the user must set another option, such as
 * `--account-column`. A dry run asks no questions, but lists them at its end.
 *
 * @param details.categories undefined if the categories of the tracker are not loaded yet. If they are loaded, the function
 *   also prints which categories of the file will be left out, for example because the tracker does not have them. The rows
 *   of these categories are recorded without a category
 * @returns the questions to ask the user; empty if no prompt is possible, or if `--yes` is set
 * @throws UsageError (exit 2) if a question remains, and there is no prompt or `--yes` is set; a dry run does not throw
 */
export function showInterpretation(
  statement: OpenedStatement,
  { request, categories }: { request: ImportRequest; categories: CategoryResolver | undefined },
): readonly Question[] {
  const { interpretation } = statement;
  if (interpretation === null) return [];
  const { context, flags, questions } = request;
  const { printer } = context;
  const all =
    interpretation.question === null ? [] : [interpretation.question, ...(interpretation.furtherQuestions ?? [])];
  const open = all.filter(({ requiresOption }) => flags.yes !== true || requiresOption === true);
  const leftOut =
    categories === undefined
      ? undefined
      : describeLeftOutCategories(categories.findLeftOut(statement.categories?.names ?? []), categories);
  const lines = [...interpretation.lines, ...(leftOut === undefined ? [] : [['categories', leftOut] as const])];
  const width = Math.max(...lines.map(([label]) => label.length));
  for (const [label, value] of lines) {
    const line = `  ${label.padEnd(width)}  ${value}`;
    if (open.length > 0) printer.warn(line);
    else printer.note(line);
  }
  // With `--yes`, the only questions left are those for which the user must set another option, so the import refuses the file.
  if (flags.yes !== true && questions.canAsk) return open;
  for (const question of open) {
    const message = flags.yes === true ? question.message : `${question.message} ${questions.whyNot}`;
    const remedy =
      question.requiresOption === true ? question.remedy : `Check above how the file is read. ${question.remedy}`;
    questions.refuse(new UsageError(message, remedy));
  }
  return [];
}

/**
 * Asks whether the file is to be read as printed. If the user answers yes, the function also saves how the file is read,
 * for the next file with the same headers. For a format without headers, nothing is saved.
 * @throws UsageError (exit 2) if the user does not confirm how the file is read
 */
export async function confirmInterpretation(
  statement: OpenedStatement,
  { questions, context }: { questions: readonly Question[]; context: CommandContext },
): Promise<void> {
  const { printer, prompt } = context;
  for (const { requiresOption, message } of questions) if (requiresOption === true) printer.warn(message);
  if (statement.interpretation?.save === undefined) {
    if (await prompt.confirm('Read the file like this?')) return;
    throw new UsageError('Nothing was recorded.', questions[0]?.remedy ?? '');
  }
  if (
    await prompt.confirm(
      'Read the file like this, and save the columns and formats for the next file with these headers?',
    )
  ) {
    return saveInterpretation(statement, context);
  }
  throw new UsageError('Nothing was recorded.', 'Set the columns with flags such as --date-column.');
}

/**
 * Saves how the file is read, for the next file with the same headers.
 * @throws UsageError (exit 2) if the format has no headers
 */
export async function saveInterpretation(
  { interpretation }: OpenedStatement,
  { printer }: CommandContext,
): Promise<void> {
  if (interpretation?.save === undefined) {
    throw new UsageError('--save-mapping is for CSV, because other formats have no headers.', 'Leave it out.');
  }
  await interpretation.save();
  printer.note('Saved for the next file with these headers.');
}

/**
 * Returns the debit and the credit column of a statement of a credit card, if only the balance column distinguishes them and a payment to
 * the card shows that the balance is a debt. They are then the columns of the reader the other way round. Prints the reason.
 */
export function findSidesOfCard(
  { balanceDirection }: OpenedStatement,
  { request: { context, flags }, accounts }: { request: ImportRequest; accounts: AccountResolver },
): { readonly debit: string; readonly credit: string } | undefined {
  const account = flags.account === undefined ? undefined : accounts.describe(flags.account);
  const sides = balanceDirection?.unknownSides;
  if (account?.type !== 'credit_card' || sides?.expensePayment === undefined) return undefined;
  const { debit, credit, expensePayment } = sides;
  context.printer.note(`The balance is a debt, because "${expensePayment}" reduces it. So "${credit}" is money out.`);
  return { debit: credit, credit: debit };
}

/**
 * Refuses a file whose balance column may show a debt, in two cases:
 * - `--account` names a credit card or a loan, and only the balance column shows which rows are expenses.
 * - `--account` names a cash, checking or savings account, and the balances agree with the amounts only if expenses and
 *   incomes are swapped.
 *
 * @throws UsageError (exit 2); a dry run throws this error only at its end
 */
export function refuseBalanceOfDebt(
  { balanceDirection }: OpenedStatement,
  { request: { flags, questions }, accounts }: { request: ImportRequest; accounts: AccountResolver },
): void {
  const account = flags.account === undefined ? undefined : accounts.describe(flags.account);
  if (balanceDirection === undefined || account === undefined) return;
  const { decides, isReversed, unknownSides } = balanceDirection;
  if (decides && (account.type === 'credit_card' || account.type === 'loan')) {
    const what = account.type === 'loan' ? 'loan' : 'credit card';
    questions.refuse(
      new UsageError(
        `${account.name} is a ${what}, and only the balance column shows the direction of the rows. The balance may be a debt, so it does not show which rows are expenses.`,
        unknownSides === undefined ? splitFile : nameSides(unknownSides),
      ),
    );
  } else if (isReversed && (account.type === 'cash' || account.type === 'checking' || account.type === 'savings')) {
    questions.refuse(
      new UsageError(
        `The balance column agrees only if expenses and incomes are swapped. This is normal for a credit card or a loan, but ${account.name} is neither.`,
        'If accounting software wrote the file, swap the columns with --debit-column and --credit-column. If the signs are right, use --ignore-balance.',
      ),
    );
  }
}

const splitFile =
  'Put the purchases and the payments into two files, and import them with --ignore-balance and with --all-expenses or --all-incomes.';

function nameSides({ debit, credit }: { readonly debit: string; readonly credit: string }): string {
  return `If it is a debt, use --debit-column "${credit}" --credit-column "${debit}". If not, use --debit-column "${debit}" --credit-column "${credit}".`;
}
