import type { OpenedStatement, StatementDirection } from '@centavo/statement-reader';
import { UsageError } from '../../errors.js';
import type { AccountResolver } from '../plan/accounts.js';
import type { ImportRequest } from '../request.js';

/**
 * Asks what a minus sign means, in these cases:
 * - `--account` or the rows name a credit card, and at most half of the amounts of this card have a minus.
 * - `--account` names a credit card, and a payment to this card has a minus.
 * - `--account` names no credit card, at most half of the amounts have a minus, and a column shows that the file is a card statement.
 * - `--account` names a loan, unless the balance column is below zero and confirms the signs. A positive balance proves nothing: it may be
 *   the debt. An amount with a minus reduces such a balance, so it is a repayment and not an expense.
 * - The file may be a card statement although nothing names a card. This is so if all of these are true:
 *   - Few amounts have a minus: at most one in five. In a file of four to nine amounts, at most one in three is enough if no row confirms
 *     the signs.
 *   - No balance column confirms the signs.
 *   - `--account` is not set, or names an account that is neither a credit card nor a loan nor a savings account.
 *
 * Most rows of a card are purchases. If few rows have a minus sign, the sign probably marks refunds and payments. An import that reads this
 * sign as an expense would then record each purchase as an income. If rows name their accounts, the signs of each card are counted
 * separately, but the answer applies to the whole file. `--yes` does not answer this question.
 *
 * In the last case, if a column such as `Type` says that a row is a purchase or other money out, but most amounts of such rows have no
 * minus, the import refuses the file and does not ask. Both answers could be wrong: on the statement of a broker, a minus means an expense,
 * but some expenses have no minus.
 *
 * @returns the direction that a minus sign means; undefined if the meaning is clear, and in a dry run
 * @throws UsageError (exit 2) if the import must ask, but there is no prompt or `--yes` is set; also if it refuses the file
 */
export async function askCardSigns(
  statement: OpenedStatement,
  { request, accounts }: { request: ImportRequest; accounts: AccountResolver },
): Promise<StatementDirection | undefined> {
  const { context, flags, questions } = request;
  const { prompt } = context;
  const card = await findUnclearCard(statement, { flags, accounts });
  if (card === undefined) return undefined;
  const { minus, other } = card;
  const have = minus === 1 ? 'has' : 'have';
  if (card.moneyOutWithoutMinusHeader !== undefined) {
    questions.refuse(
      new UsageError(
        `The signs seem to be incomplete: the column "${card.moneyOutWithoutMinusHeader}" names purchases or other money out, but most of these amounts have no minus. Only ${minus} of ${minus + other} amounts of the file ${have} a minus.`,
        'Put a minus before each amount that is money out. If all amounts without a minus are money out, as on some card statements, use --minus income. If all signs are right, use --direction-column "" and --minus expense.',
      ),
    );
    return undefined;
  }
  const message = `${card.reason}, and ${minus} of its ${minus + other} amounts ${have} a minus.`;
  if (!questions.canAsk || flags.yes === true) {
    const alone = card.isOneOfSeveral ? ' for every row of the file, or import the rows of the card alone' : '';
    questions.refuse(
      new UsageError(
        `${message} A minus may mean a ${card.income} or an expense.`,
        `Use --minus income or --minus expense${alone}.`,
      ),
    );
    return undefined;
  }
  const scope = card.isOneOfSeveral ? ' The answer applies to every row of the file.' : '';
  const isIncome = await prompt.confirm(
    `${message}${scope} Does a minus mean an income, such as a ${card.income === 'refund' ? 'refund or a payment to the card' : card.income}?`,
  );
  return isIncome ? 'income' : 'expense';
}

/** A card or a loan for which the meaning of a minus sign is unclear, and the reason to ask. */
interface UnclearCard extends SignCounts {
  readonly reason: string;
  /** The kind of income that a minus may mean. */
  readonly income: 'refund' | 'repayment';
  readonly isOneOfSeveral: boolean;
  /**
   * The header of a column that says that rows are purchases or other money out, although their amounts have no minus. Undefined if there
   * is none, or if it is certain that the rows are those of a card or a loan.
   */
  readonly moneyOutWithoutMinusHeader?: string | undefined;
}

interface SignCounts {
  readonly minus: number;
  readonly other: number;
}

async function findUnclearCard(
  statement: OpenedStatement,
  { flags, accounts }: { flags: ImportRequest['flags']; accounts: AccountResolver },
): Promise<UnclearCard | undefined> {
  // Undefined in OFX and QIF files, and if the meaning of a minus is clear.
  const { undecidedSigns } = statement;
  if (undecidedSigns === undefined) return findCardInBankSection(statement, { flags, accounts });
  const {
    cardHeader,
    paymentWithMinus,
    balanceAgreesWithSigns,
    balanceIsBelowZero,
    moneyOutWithoutMinusHeader,
    ...counts
  } = undecidedSigns;
  const whole = { ...counts, income: 'refund' as const, isOneOfSeveral: false };
  const account = flags.account === undefined ? undefined : accounts.describe(flags.account);
  if (account?.type === 'credit_card') {
    if (areUnclear(undecidedSigns)) return { ...whole, reason: `${account.name} is a credit card` };
    // Here, most amounts have a minus sign. But a payment to the card is never an expense of the card, so a payment
    // with a minus sign is a reason to ask.
    const reason = `${account.name} is a credit card, "${paymentWithMinus}" has a minus`;
    if (paymentWithMinus !== undefined) return { ...whole, reason };
  } else if (account?.type === 'loan') {
    if (balanceAgreesWithSigns && balanceIsBelowZero) return undefined;
    const debt = balanceAgreesWithSigns ? ', the balance column may show its debt' : '';
    return { ...whole, income: 'repayment', reason: `${account.name} is a loan${debt}` };
  } else if (areUnclear(undecidedSigns) && cardHeader !== undefined) {
    return { ...whole, reason: `The file is a card statement, because it has a column "${cardHeader}"` };
  } else if (
    (areFew(undecidedSigns) || areUnproven(undecidedSigns)) &&
    !balanceAgreesWithSigns &&
    account?.type !== 'savings'
  ) {
    const evidence = areFew(undecidedSigns) ? 'few amounts have a minus' : 'no row shows that a minus is an expense';
    return { ...whole, reason: `The file may be a card statement, because ${evidence}`, moneyOutWithoutMinusHeader };
  }
  return flags.account === undefined ? findUnclearCardInRows(statement, accounts) : undefined;
}

/**
 * Returns the account of `--account` if all of these are true: it is a credit card; the OFX or QIF file declares no card or loan; and
 * the meaning of a minus sign is unclear. Some issuers write the rows of a card into the section of a bank account, so a file
 * that declares no card may still be a card statement.
 */
async function findCardInBankSection(
  statement: OpenedStatement,
  { flags, accounts }: { flags: ImportRequest['flags']; accounts: AccountResolver },
): Promise<UnclearCard | undefined> {
  const account = flags.account === undefined ? undefined : accounts.describe(flags.account);
  const isOfxOrQif = statement.format === 'ofx' || statement.format === 'qif';
  if (!isOfxOrQif || account?.type !== 'credit_card' || flags.minus !== undefined) return undefined;
  // No question is needed if the file declares a card or a loan. The signs of a declared card were checked when the file was opened. The
  // rows of a declared loan are not in the section of a bank account.
  if (statement.accounts?.some(({ type }) => type === 'credit_card' || type === 'loan')) return undefined;
  const signs = { minus: 0, other: 0 };
  for await (const row of statement.rows()) {
    if (row.outcome === 'transaction') signs[row.transaction.direction === 'expense' ? 'minus' : 'other'] += 1;
  }
  if (signs.minus + signs.other === 0 || !areUnclear(signs)) return undefined;
  return {
    ...signs,
    income: 'refund',
    isOneOfSeveral: false,
    reason: `${account.name} is a credit card`,
  };
}

/** Returns the first credit card, among the accounts that rows name, for which the meaning of a minus sign is unclear. */
async function findUnclearCardInRows(
  statement: OpenedStatement,
  accounts: AccountResolver,
): Promise<UnclearCard | undefined> {
  const counts = await countSigns(statement);
  for (const [name, signs] of counts) {
    const account = accounts.describe(name);
    if (account?.type !== 'credit_card' || !areUnclear(signs)) continue;
    const reason = `${account.name} is a credit card`;
    return { ...signs, income: 'refund', reason, isOneOfSeveral: counts.size > 1 };
  }
  return undefined;
}

async function countSigns(statement: OpenedStatement): Promise<ReadonlyMap<string, SignCounts>> {
  const counts = new Map<string, { minus: number; other: number }>();
  for await (const row of statement.rows()) {
    if (row.outcome !== 'transaction' || row.transaction.accountName === null) continue;
    const { accountName, direction } = row.transaction;
    const known = counts.get(accountName) ?? { minus: 0, other: 0 };
    // Until the user has answered, the reader treats an amount with a minus sign as an expense.
    known[direction === 'expense' ? 'minus' : 'other'] += 1;
    counts.set(accountName, known);
  }
  return counts;
}

function areUnclear({ minus, other }: SignCounts): boolean {
  return minus <= other;
}

/**
 * Returns whether a file with few rows may be a card statement with refunds: at most one in three amounts has a minus, and no row shows
 * that a minus is an expense. In a file with more rows of a bank account, the text of some row usually shows this.
 */
function areUnproven({
  minus,
  other,
  rowsAgreeWithSigns,
}: SignCounts & { readonly rowsAgreeWithSigns: boolean }): boolean {
  const total = minus + other;
  return total >= 4 && total < 10 && other >= 2 * minus && !rowsAgreeWithSigns;
}

/** Returns whether so few amounts have a minus that the file is probably not a statement of a bank account. */
function areFew({ minus, other }: SignCounts): boolean {
  return minus + other >= 5 && other >= 4 * minus;
}
