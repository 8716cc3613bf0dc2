import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import type { CsvPlan } from '../plan/plan.js';
import type { UnrecordedFees } from '../survey/unrecorded-fees.js';
import { requirePositions } from '../table/columns.js';

/**
 * Returns a question if the balance contradicts the rows: a sign or a column may be wrong, or a row may be missing. To record the rows in
 * spite of the balance, the user must set an option: `--yes` is not enough.
 */
export function findBalanceQuestion(
  plan: CsvPlan,
  { headers: [unrecordedFee] }: UnrecordedFees,
  { balance, options }: InterpretationFacts,
): Question | undefined {
  const { roles } = plan.columns;
  if (balance === undefined || options.ignoresBalance === true) return undefined;
  const describeFirst = (clause: string | undefined) => (clause === undefined ? '' : `: ${clause}`);
  const first = describeFirst(balance.contradiction);
  const count = balance.total - balance.agreeing;
  const look = beginRemedy(plan);
  const requiresOption = true;
  switch (balance.kind) {
    case 'contradicts':
      return {
        message: `The balance column contradicts ${count} of ${balance.total} rows${first}.`,
        remedy: `${look} for a missing row, a row that is in the file twice, or a wrong column${
          unrecordedFee === undefined ? '' : `, record the fees with --fee-column "${unrecordedFee}"`
        }, or accept the amounts with --ignore-balance.`,
        requiresOption,
      };
    case 'reversed':
      // In this case, the balances fit only if expenses and incomes are swapped. But if debit and credit columns, debit/credit codes or
      // --minus show the directions, these directions are considered right, and the balances are considered those of a debt.
      if (roles.amount === undefined || roles.direction !== undefined || options.minusMeans !== undefined) {
        if (count === 0) return undefined;
        return {
          message: `The balance column may be that of a debt. If it is, it contradicts ${count} of ${balance.total} rows${describeFirst(balance.debtContradiction)}.`,
          remedy: `${look} for a missing row, a row that is in the file twice, or a wrong column, or accept the amounts with --ignore-balance.`,
          requiresOption,
        };
      }
      return {
        message: `The balance column agrees only if expenses and incomes are swapped${first}.`,
        remedy:
          options.allIncomes === true || options.allExpenses === true
            ? `Leave out ${options.allIncomes === true ? '--all-incomes' : '--all-expenses'}, or use --ignore-balance if the balance is a debt.`
            : 'Use --minus income if a minus is money in. Use --minus expense if it is money out, and the column has the balance of a debt or the balance before each row.',
        requiresOption,
      };
    case 'subtracts fees':
      return {
        message: `The balance column includes the fees in the column "${unrecordedFee ?? ''}", which are not recorded${first}.`,
        remedy: `Record the fees with --fee-column "${unrecordedFee ?? ''}". To omit them, use --fee-column "" and --ignore-balance.`,
        requiresOption,
      };
    case 'ignores fees':
    case 'adds fees':
      if (roles.fee === undefined) return undefined;
      return {
        message:
          balance.kind === 'adds fees'
            ? `The balance column agrees only if the fees in the column "${roles.fee}" count as incomes${first}.`
            : `The amounts may already include the fees in the column "${roles.fee}", because the balance column agrees only without these fees${first}.`,
        remedy: 'Leave out --fee-column, or accept the fees as expenses with --ignore-balance.',
        requiresOption,
      };
    default:
      return undefined;
  }
}

/**
 * Returns the beginning of a remedy. It names the direction column if this column is directly to the right of the balance, because the
 * words of such a column may belong to the balance.
 */
function beginRemedy({ columns: { roles, balancePosition }, dialect }: CsvPlan): string {
  const { direction } = roles;
  if (direction === undefined || balancePosition === undefined) return 'Look';
  if (requirePositions({ direction }, dialect.headers).direction !== balancePosition + 1) return 'Look';
  return `If the words of the column "${direction}" belong to the balance, use --direction-column "". Otherwise, look`;
}
