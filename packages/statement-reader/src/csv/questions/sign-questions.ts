import type { Question } from '../../statement.js';
import type { GuessedColumnsCheck } from '../columns/guessed-columns-check.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvPlan } from '../plan/plan.js';
import { areDebitSignsOpen, isWithoutSigns } from '../signs/sign-convention.js';
import type { SurveyChecks } from '../survey/survey.js';

/** Returns the first question about the signs of the amounts; undefined if their meaning is clear. */
export function findSignQuestion(
  plan: CsvPlan,
  { rows, unusedSingleCodeColumn }: Pick<SurveyChecks, 'rows' | 'unusedSingleCodeColumn'>,
  facts: InterpretationFacts,
): Question | undefined {
  const { guesses } = rows.columns;
  return (
    findRefundQuestion(plan, facts) ??
    unusedSingleCodeColumn?.findQuestion(plan.signs) ??
    findUnsignedQuestion(plan, guesses, facts) ??
    (isMinusMeaningKnown(plan, facts) ? undefined : guesses.findQuestion(facts)) ??
    findSavedSignQuestion(plan, facts)
  );
}

/** Returns whether an option or a row of the file shows what a minus means, and not only what an amount without a minus means. */
function isMinusMeaningKnown({ signs }: CsvPlan, { options }: InterpretationFacts): boolean {
  if (options.allExpenses === true || options.allIncomes === true) return options.minusMeans !== undefined;
  return signs.minusMeans !== undefined;
}

/** Returns a question if either the debits with a minus or the other debits are refunds. */
function findRefundQuestion({ columns: { roles }, signs }: CsvPlan, facts: InterpretationFacts): Question | undefined {
  const { balance, options } = facts;
  const { minus, plus, none } = signs.signCounts.debit;
  const isProven = balance?.kind === 'agrees' && balance.provesDebits;
  if (!areDebitSignsOpen(roles, signs) || options.minusMeans !== undefined || isProven) return undefined;
  return {
    message: `${minus} of ${minus + plus + none} amounts in the column "${roles.debit}" have a minus: either these or the others are refunds.`,
    remedy: 'Use --minus expense if the amounts with a minus are expenses, or --minus income if they are refunds.',
    requiresOption: true,
  };
}

/** Returns a question if nothing shows which amounts are expenses. */
function findUnsignedQuestion(
  { columns: { roles }, signs }: CsvPlan,
  { unusedDirection: unused }: GuessedColumnsCheck,
  { options }: InterpretationFacts,
): Question | undefined {
  const isOpen = isWithoutSigns(roles, signs) && options.allExpenses !== true && signs.balanceOrder === undefined;
  if (!isOpen) return undefined;
  return {
    message: `No amount has a sign, and no column separates expenses from incomes. Every row would be an expense.${
      unused === undefined ? '' : ` The words of the column "${unused}" are unknown.`
    }`,
    remedy:
      'Set the column with --direction-column and its words with --expense-word and --income-word, or use --all-expenses or --all-incomes.',
    requiresOption: true,
  };
}

/** Returns a question if the saved mapping may not fit the signs of this file. */
function findSavedSignQuestion(
  { columns: { roles }, signs }: CsvPlan,
  facts: InterpretationFacts,
): Question | undefined {
  const { options, allExpensesIsRequested, otherAccountReversesSigns } = facts;
  if (roles.amount === undefined || roles.direction !== undefined) return undefined;
  const remedy = 'Use --minus income, --minus expense or --all-expenses. Or use --yes to accept how the file is read.';
  if (otherAccountReversesSigns) {
    return {
      message:
        'The saved column mapping for these headers has a sign convention for another account, but none for this account.',
      remedy,
    };
  }
  const hasMinus = signs.signCounts.amount.minus > 0;
  const isFirstMinus = options.allExpenses === true && options.minusMeans === undefined && hasMinus;
  if (!isFirstMinus || allExpensesIsRequested) return undefined;
  return {
    message:
      'In earlier files amounts had no sign and were expenses. Some amounts now have a minus, and would be incomes.',
    remedy,
  };
}
