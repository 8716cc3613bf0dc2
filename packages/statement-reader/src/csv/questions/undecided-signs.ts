import type { CsvOptions } from '../../options.js';
import type { OpenedStatement } from '../../statement.js';
import type { BalanceFinding } from '../findings/balance-finding.js';
import type { CsvPlan } from '../plan/plan.js';
import { isWithoutSigns } from '../signs/sign-convention.js';
import type { SignConventionCheck } from '../signs/sign-convention-check.js';
import { looksLikeTransaction } from '../table/cells.js';
import { requirePositions } from '../table/columns.js';
import { cardHeaders, cardNumberHeaders, headerDictionary, headerWords } from '../table/header-names.js';

/**
 * Returns facts that help to decide whether a minus is an expense or an income. Returns an empty object if no amount has a minus, if other
 * columns show the direction, or if an option or a saved mapping sets the meaning of a minus.
 * @param file.rows the first rows below the headers
 * @param file.paysFirstBalance whether an amount with a minus pays exactly the balance before the oldest row. If so, the balance may be the
 *   debt of a card, so the balance column alone does not show the meaning of a minus
 */
export function findUndecidedSigns(
  { dialect, columns: { roles }, signs }: CsvPlan,
  file: {
    readonly rows: readonly (readonly string[])[];
    readonly balance: BalanceFinding | undefined;
    readonly paysFirstBalance: boolean;
    readonly convention: SignConventionCheck;
  },
): Pick<OpenedStatement, 'undecidedSigns'> {
  const { rows, balance, paysFirstBalance } = file;
  const { paymentWithMinus, showsBankSigns } = file.convention;
  const { minus, plus, none } = signs.signCounts.amount;
  const isOpen =
    roles.amount !== undefined && roles.direction === undefined && signs.minusMeans === undefined && minus > 0;
  if (!isOpen) return {};
  const cardHeader = findCardHeader(dialect.headers, rows);
  const balanceIsBelowZero = balance?.isBelowZero === true;
  const moneyOutWithoutMinusHeader = dialect.headers[signs.moneyOutWithoutMinus[0]?.position ?? -1]?.trim();
  // On some card statements, a minus marks incomes (refunds and payments to the card). But if a plus marks the incomes, a minus does not.
  const rowsAgreeWithSigns = showsBankSigns || plus > 0;
  const balanceAgreesWithSigns = balance?.kind === 'agrees' && (rowsAgreeWithSigns || !paysFirstBalance);
  const evidence = {
    balanceAgreesWithSigns,
    balanceIsBelowZero,
    cardHeader,
    paymentWithMinus,
    rowsAgreeWithSigns,
    moneyOutWithoutMinusHeader,
  };
  return { undecidedSigns: { minus, other: plus + none, ...evidence } };
}

/** Returns what the balance column shows about the direction of the rows. */
export function findBalanceDirection(
  plan: CsvPlan,
  file: {
    readonly guessed: ReadonlySet<string>;
    readonly options: CsvOptions;
    readonly balance: BalanceFinding | undefined;
    /** The first expense that would be a payment to a card, see `DebtCheck.expensePayment`. */
    readonly expensePayment: string | undefined;
  },
): NonNullable<OpenedStatement['balanceDirection']> {
  const { roles } = plan.columns;
  const { guessed, options, balance, expensePayment } = file;
  const hasUnknownSides = balance?.kind === 'agrees' && areSidesUnknown(plan, guessed);
  const { debit = '', credit = '' } = roles;
  return {
    decides: hasUnknownSides || (isWithoutSigns(roles, plan.signs) && plan.signs.balanceOrder !== undefined),
    ...(hasUnknownSides && { unknownSides: { debit, credit, expensePayment } }),
    // False if only signs show the direction, because `findQuestions` asks the user about a reversed balance of such a file.
    isReversed:
      balance?.kind === 'reversed' &&
      options.ignoresBalance !== true &&
      (roles.amount === undefined || roles.direction !== undefined),
  };
}

/** Returns whether the debit and credit columns have unknown headers, so that only the balance distinguishes them. */
export function areSidesUnknown({ columns: { roles }, dialect }: CsvPlan, guessed: ReadonlySet<string>): boolean {
  const positions = requirePositions(roles, dialect.headers);
  return (['debit', 'credit'] as const).every((side) => {
    const position = positions[side];
    const words = headerWords(dialect.headers[position ?? -1] ?? '');
    return position !== undefined && guessed.has(side) && !headerDictionary[side].includes(words);
  });
}

/**
 * Returns the header that shows that the file is a card statement; undefined if there is none. The number of a card, and details that only
 * card networks know, may also be in statements of bank accounts, but only in rows of card payments. So the header of a column for such
 * data shows a card statement only if most rows have a text in the column.
 */
function findCardHeader(headers: readonly string[], rows: readonly (readonly string[])[]): string | undefined {
  const transactions = rows.filter(looksLikeTransaction);
  return headers.find((header, position) => {
    const words = headerWords(header);
    const filledCount = transactions.filter((cells) => (cells[position] ?? '').trim() !== '').length;
    return cardHeaders.has(words) || (cardNumberHeaders.has(words) && 2 * filledCount > transactions.length);
  });
}
