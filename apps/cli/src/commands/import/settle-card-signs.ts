import { UsageError } from '../../errors.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { StatementDirection } from '../../statements/statement-row.js';
import type { CommandContext as Invocation } from '../shared/context.js';
import type { AccountBook } from './account-book.js';
import type { ImportFlags } from './import-flags.js';

/**
 * Has a person say what a minus is where the amounts of a credit card are mostly without one: there most rows are
 * purchases, so that the minus is likely money that came back, as some issuers write it. Read as a bank's, each purchase
 * would be income. Where rows name their accounts, those of each card count by themselves, and the answer is for the whole
 * file. `--yes` accepts what is shown and knows nothing of signs, so it is no answer.
 *
 * @returns what was answered; undefined where nothing is open
 * @throws UsageError (exit 2) where nobody can be asked
 */
export async function settleCardSigns(
  statement: OpenedStatement,
  told: { invocation: Invocation; flags: ImportFlags; accounts: AccountBook },
): Promise<StatementDirection | undefined> {
  const { flags } = told;
  const { prompt } = told.invocation;
  const card = await findUnclearCard(statement, told);
  if (card === undefined) return undefined;
  const { minus, other } = card;
  const message = `${card.reason}, and of its amounts ${minus} of ${minus + other} have a minus.`;
  const reach = card.isOneOfSeveral ? ' The answer is for every row of the file.' : '';
  if (!prompt.isInteractive || flags.yes === true) {
    const alone = card.isOneOfSeveral ? ' for every row of the file, or import the rows of the card alone' : '';
    throw new UsageError(
      `${message} It may be money that came back, or money spent.`,
      `Say what a minus is with --minus income or --minus expense${alone}.`,
    );
  }
  return (await prompt.confirm(`${message}${reach} Are those with a minus money that came back?`))
    ? 'income'
    : 'expense';
}

/** Amounts of a card that are mostly without a minus, and how it is known that they are of one. */
interface UnclearCard extends SignCounts {
  readonly reason: string;
  readonly isOneOfSeveral: boolean;
}

interface SignCounts {
  readonly minus: number;
  readonly other: number;
}

async function findUnclearCard(
  statement: OpenedStatement,
  { flags, accounts }: { flags: ImportFlags; accounts: AccountBook },
): Promise<UnclearCard | undefined> {
  const { openSigns } = statement;
  if (openSigns === undefined) return undefined;
  if (areUnclear(openSigns)) {
    const whole = { minus: openSigns.minus, other: openSigns.other, isOneOfSeveral: false };
    const account = flags.account === undefined ? undefined : accounts.describe(flags.account);
    if (account?.type === 'credit_card') return { ...whole, reason: `${account.name} is a credit card` };
    const { cardHeader } = openSigns;
    if (cardHeader !== undefined) return { ...whole, reason: `The file is of a card, by its column "${cardHeader}"` };
  }
  return flags.account === undefined ? findAmongRows(statement, accounts) : undefined;
}

/** The first card among the accounts that rows name of which it is not clear. */
async function findAmongRows(statement: OpenedStatement, accounts: AccountBook): Promise<UnclearCard | undefined> {
  const counts = await countSigns(statement);
  for (const [name, signs] of counts) {
    const account = accounts.describe(name);
    if (account?.type !== 'credit_card' || !areUnclear(signs)) continue;
    return { ...signs, reason: `${account.name} is a credit card`, isOneOfSeveral: counts.size > 1 };
  }
  return undefined;
}

async function countSigns(statement: OpenedStatement): Promise<ReadonlyMap<string, SignCounts>> {
  const counts = new Map<string, { minus: number; other: number }>();
  for await (const row of statement.rows()) {
    if (row.outcome !== 'transaction' || row.transaction.accountName === null) continue;
    const { accountName, direction } = row.transaction;
    const known = counts.get(accountName) ?? { minus: 0, other: 0 };
    // While it is open what signs mean, they are read as a bank's.
    known[direction === 'expense' ? 'minus' : 'other'] += 1;
    counts.set(accountName, known);
  }
  return counts;
}

function areUnclear({ minus, other }: SignCounts): boolean {
  return minus <= other;
}
