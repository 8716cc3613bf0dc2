import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { UnreversedRows } from '../pending/unreversed-rows.js';
import type { CsvPlan } from '../plan/plan.js';
import type { DescribedChecks } from '../survey/describe-rows.js';
import type { SurveyChecks } from '../survey/survey.js';
import { findBalanceQuestion } from './balance-questions.js';
import { findSignQuestion } from './sign-questions.js';

/** The checks of a file. Each check may find a question about the rows. */
export interface FileChecks extends SurveyChecks, DescribedChecks {
  readonly unreversed: UnreversedRows | undefined;
}

/** Returns the questions that the user has to answer before rows are recorded, the most important first. */
export function findQuestions(plan: CsvPlan, checks: FileChecks, facts: InterpretationFacts): readonly Question[] {
  const { rows, lines } = checks;
  const { pending, signs } = rows;
  if (lines.rowCount === 0) return [];
  const questions = [
    rows.ownAccounts.findQuestion(facts),
    pending.statuses.findQuestion(facts),
    checks.unreversed?.findQuestion(facts),
    // If texts say that rows are pending, the marks in other columns cause no question, even if the balances include these rows.
    pending.texts.hasFound ? pending.texts.findQuestion(facts) : pending.marks.findQuestion(facts),
    pending.asterisks.findQuestion(facts),
    lines.sections.findQuestion(facts),
    checks.newestWithoutBalance.findQuestion(facts),
    checks.newestUnchanged.findQuestion(facts),
    rows.ids.findQuestion(facts),
    lines.overlap.findQuestion(facts),
    checks.codesBesideBalance?.findQuestion(),
    findBalanceQuestion(plan, rows.fees, facts),
    checks.stated?.findQuestion(facts),
    signs.transfers.findQuestion(facts),
    signs.debitCredit.findQuestion(facts),
    checks.debt.findQuestion(facts),
    findSignQuestion(plan, checks, facts),
    rows.fees.findQuestion(facts),
    rows.funding.findQuestion(facts),
    findGuessQuestion(facts),
  ];
  return questions.filter((question) => question !== undefined);
}

function findGuessQuestion({ guessed, isConfirmedEachTime }: InterpretationFacts): Question | undefined {
  const names = ['date', 'amount', 'debit', 'credit'] as const;
  const isGuessed = isConfirmedEachTime || names.some((name) => guessed.has(name));
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : undefined;
}
