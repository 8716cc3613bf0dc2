import type { CsvOptions } from '../options.js';
import type { Doubt } from '../statement.js';
import type { CsvColumnName } from './columns.js';
import type { EffectiveMapping } from './mapping.js';
import type { CsvPlan } from './plan.js';
import { isWithoutSigns } from './signs.js';

/** How the plan was made: by options, a saved mapping, or guesses. */
interface PlanOrigin {
  readonly guessed: ReadonlySet<CsvColumnName>;
  /** The saved mapping may be of another bank. */
  readonly isConfirmedEachTime: boolean;
  /** With what the saved mapping decides. */
  readonly options: CsvOptions;
  readonly allExpensesIsRequested: boolean;
  readonly mapping: EffectiveMapping | undefined;
}

/** Returns what the user has to confirm before anything is recorded; null if nothing is in doubt. */
export function findDoubt(plan: CsvPlan, origin: PlanOrigin): Doubt | null {
  const { findings } = plan;
  if (findings.rowCount === 0) return null;
  const isStatusUnlikely = origin.guessed.has('status') && !findings.hasKnownStatuses;
  const doubt = (isStatusUnlikely ? undefined : findStatusDoubt(plan)) ?? findSignDoubt(plan, origin);
  if (doubt !== undefined) return doubt;
  if (findings.fees !== undefined) {
    return {
      message: `${findings.fees}.`,
      remedy: 'Record the fees by themselves, and accept the reading with --yes.',
    };
  }
  const names = ['date', 'amount', 'debit', 'credit'] as const;
  const isGuessed = origin.isConfirmedEachTime || names.some((name) => origin.guessed.has(name));
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : null;
}

/** Unknown statuses need an explicit answer: one line among many is easily overlooked. */
function findStatusDoubt({ columns: { roles }, findings: { unknownStatuses } }: CsvPlan): Doubt | undefined {
  if (unknownStatuses.length === 0) return undefined;
  const words = unknownStatuses.map((status) => `"${status}"`);
  const flags = words.map((word) => `--final-status ${word}`).join(' ');
  const what = words.length === 1 ? 'it is final' : 'they are final';
  return {
    message: `In the column "${roles.status ?? ''}" the meaning of ${words.join(', ')} is unknown: such a row may be pending, or not have happened.`,
    remedy: `Say ${flags} if ${what}, or take such rows out of the file.`,
    mustBeSaid: true,
  };
}

function findSignDoubt(
  { columns: { roles }, formats }: CsvPlan,
  { options, allExpensesIsRequested, mapping }: PlanOrigin,
): Doubt | undefined {
  const remedy = 'Say --minus income, --minus expense or --all-expenses, or accept the reading with --yes.';
  const readsSigns = roles.amount !== undefined && roles.direction === undefined;
  if (readsSigns && mapping?.otherAccountReversesSigns === true) {
    return { message: 'What is saved about the signs of such files is for another account.', remedy };
  }
  const hasMinus = formats.signCounts.amount.minus > 0;
  const isFirstMinus = options.allExpenses === true && options.minusMeans === undefined && hasMinus;
  if (readsSigns && isFirstMinus && !allExpensesIsRequested) {
    return {
      message: 'Until now amounts had no sign and were expenses; some now have a minus, which would be income.',
      remedy,
    };
  }
  if (!isWithoutSigns(roles, formats) || options.allExpenses === true) return undefined;
  return {
    message: 'No amount has a sign and no column tells expense from income, so every row would be an expense.',
    remedy:
      'Name the column with --direction-column (its words with --expense-word and --income-word), say --all-expenses, or accept the reading with --yes.',
  };
}
