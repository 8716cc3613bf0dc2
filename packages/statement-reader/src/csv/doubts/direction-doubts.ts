import type { Doubt } from '../../statement.js';
import { nameColumns } from '../columns/columns.js';
import type { CsvPlan } from '../plan.js';
import { areDebitSignsOpen, isWithoutSigns } from '../signs/sign-convention.js';
import type { PlanOrigin } from './plan-origin.js';

/**
 * Returns a doubt if an export of Firefly III has transfers whose direction it does not show. There is no doubt if an option says that the
 * signs show the direction.
 */
export function findTransferDoubt(
  { findings: { undirectedTransfers } }: CsvPlan,
  { options }: PlanOrigin,
): Doubt | undefined {
  if (undirectedTransfers === undefined || options.columns.direction === '') return undefined;
  const { line, word, rowCount } = undirectedTransfers;
  const rows = rowCount === 1 ? '1 row is a transfer' : `${rowCount} rows are transfers`;
  return {
    message: `${rows}, whose direction an export of Firefly III does not show: line ${line} is a "${word}".`,
    remedy: 'Take such rows out of the file. If their signs are right, use --direction-column "".',
    requiresOption: true,
  };
}

/**
 * Returns a doubt if the type of a row, such as `Deposit`, contradicts its debit or credit column, unless the balance column agrees with
 * the amounts.
 */
export function findSideDoubt({ findings: { reversedSides } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (reversedSides === undefined || balance?.kind === 'agrees') return undefined;
  const { line, word, header, debit, credit } = reversedSides;
  return {
    message: `The words of the column "${header}", such as "${word}" in line ${line}, contradict the columns "${debit}" and "${credit}".`,
    remedy: `In an export of accounting software, exchange the columns: --debit-column "${credit}" --credit-column "${debit}". If a debit is money out, use --debit-column "${debit}" --credit-column "${credit}".`,
    requiresOption: true,
  };
}

/** Returns a doubt if only the balance distinguishes debits and credits, and the balance may be that of a debt. */
export function findDebtDoubt({ columns: { roles } }: CsvPlan, { debtReason }: PlanOrigin): Doubt | undefined {
  if (debtReason === undefined) return undefined;
  const { debit = '', credit = '' } = roles;
  return {
    message: `Only the balance shows which of the columns "${debit}" and "${credit}" is money out. It may be the balance of a debt: ${debtReason}.`,
    remedy: `If it is a debt, exchange the columns: --debit-column "${credit}" --credit-column "${debit}". If it is money in an account, use --debit-column "${debit}" --credit-column "${credit}".`,
    requiresOption: true,
  };
}

export function findSignDoubt(
  { dialect, columns: { roles }, formats, findings }: CsvPlan,
  { balance, options, allExpensesIsRequested, mapping }: PlanOrigin,
): Doubt | undefined {
  const { minus, plus, bare } = formats.signCounts.debit;
  const isProven = balance?.kind === 'agrees' && balance.provesDebits;
  if (areDebitSignsOpen(roles, formats) && options.minusMeans === undefined && !isProven) {
    return {
      message: `${minus} of ${minus + plus + bare} amounts in the column "${roles.debit}" have a minus: either these or the others are refunds.`,
      remedy: 'Use --minus expense if the amounts with a minus are expenses, or --minus income if they are refunds.',
      requiresOption: true,
    };
  }
  const loneCode = formats.balanceOrder === undefined ? findings.unusedLoneCode : undefined;
  if (loneCode !== undefined) {
    const header = nameColumns(dialect.headers)[loneCode.position]?.trim() ?? '';
    const [code, empty] = loneCode.emptyMeans === 'expense' ? ['in', 'out'] : ['out', 'in'];
    return {
      message: `No amount has a sign, and the column "${header}" has only "${loneCode.text}" and empty cells: "${loneCode.text}" may mean money ${code}, and an empty cell money ${empty}.`,
      remedy: `If it does, use --direction-column "${header}". If the column does not show the direction, use --direction-column "".`,
      requiresOption: true,
    };
  }
  if (isWithoutSigns(roles, formats) && options.allExpenses !== true && formats.balanceOrder === undefined) {
    const unused = findings.unusedDirection;
    return {
      message: `No amount has a sign, and no column separates expenses from incomes. Every row would be an expense.${
        unused === undefined ? '' : ` The words of the column "${unused}" are unknown.`
      }`,
      remedy:
        'Set the column with --direction-column and its words with --expense-word and --income-word, or use --all-expenses or --all-incomes.',
      requiresOption: true,
    };
  }
  const { conflictingDirection } = findings;
  if (conflictingDirection !== undefined && options.minusMeans === undefined && balance?.kind !== 'agrees') {
    return {
      message: `Words of the column "${conflictingDirection}" contradict the signs of some amounts. The signs would decide the direction.`,
      remedy: `Use --direction-column "${conflictingDirection}" if its words show the direction, or --direction-column "" if the signs show it.`,
      requiresOption: true,
    };
  }
  const remedy = 'Use --minus income, --minus expense or --all-expenses, or accept the reading with --yes.';
  const readsSigns = roles.amount !== undefined && roles.direction === undefined;
  if (readsSigns && mapping?.otherAccountReversesSigns === true) {
    return {
      message:
        'The saved column mapping for these headers has a sign convention for another account, but none for this account.',
      remedy,
    };
  }
  const hasMinus = formats.signCounts.amount.minus > 0;
  const isFirstMinus = options.allExpenses === true && options.minusMeans === undefined && hasMinus;
  if (readsSigns && isFirstMinus && !allExpensesIsRequested) {
    return {
      message:
        'In earlier files amounts had no sign and were expenses. Some amounts now have a minus, and would be incomes.',
      remedy,
    };
  }
  return undefined;
}
