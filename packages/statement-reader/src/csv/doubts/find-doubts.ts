import type { Doubt } from '../../statement.js';
import type { ReadingFacts } from '../findings/reading-facts.js';
import type { UnreversedRows } from '../pending/unreversed-rows.js';
import type { CsvPlan } from '../plan/plan.js';
import type { DescribedChecks } from '../survey/describe-rows.js';
import type { SurveyChecks } from '../survey/survey.js';
import { findBalanceDoubt } from './balance-doubts.js';
import { findSignDoubt } from './sign-doubts.js';

/** The checks of a file. Each check may find a doubt about the rows. */
export interface FileChecks extends SurveyChecks, DescribedChecks {
  readonly unreversed: UnreversedRows | undefined;
}

/** Returns the doubts that the user has to resolve before rows are recorded, the most important first. */
export function findDoubts(plan: CsvPlan, checks: FileChecks, facts: ReadingFacts): readonly Doubt[] {
  const { rows, lines } = checks;
  const { pending, signs } = rows;
  if (lines.rowCount === 0) return [];
  const doubts = [
    rows.ownAccounts.findDoubt(facts),
    pending.statuses.findDoubt(facts),
    checks.unreversed?.findDoubt(facts),
    // If texts say that rows are pending, the marks in other columns cause no doubt, even if the balances include these rows.
    pending.texts.hasFound ? pending.texts.findDoubt(facts) : pending.marks.findDoubt(facts),
    pending.asterisks.findDoubt(facts),
    lines.sections.findDoubt(facts),
    checks.newestWithoutBalance.findDoubt(facts),
    checks.newestUnchanged.findDoubt(facts),
    rows.ids.findDoubt(facts),
    lines.overlap.findDoubt(facts),
    checks.codesBesideBalance?.findDoubt(),
    findBalanceDoubt(plan, rows.fees, facts),
    checks.stated?.findDoubt(facts),
    signs.transfers.findDoubt(facts),
    signs.debitCredit.findDoubt(facts),
    checks.debt.findDoubt(facts),
    findSignDoubt(plan, checks, facts),
    rows.fees.findDoubt(facts),
    rows.funding.findDoubt(facts),
    findGuessDoubt(facts),
  ];
  return doubts.filter((doubt) => doubt !== undefined);
}

function findGuessDoubt({ guessed, isConfirmedEachTime }: ReadingFacts): Doubt | undefined {
  const names = ['date', 'amount', 'debit', 'credit'] as const;
  const isGuessed = isConfirmedEachTime || names.some((name) => guessed.has(name));
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : undefined;
}
