import { UsageError } from '../../cli-error.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { StatementDirection } from '../../statements/statement-row.js';
import type { Invocation } from '../invocation.js';
import type { AccountBook } from './account-book.js';
import type { ImportFlags } from './import-flags.js';

/**
 * Has a person say what a minus is in a file of a credit card whose amounts are mostly without one: there most rows are
 * purchases, so that the minus is likely money that came back, as some issuers write it. Read as a bank's, each purchase
 * would be income. `--yes` accepts what is shown and knows nothing of signs, so it is no answer.
 *
 * @returns what was answered; undefined where nothing is open
 * @throws UsageError (exit 2) where nobody can be asked
 */
export async function settleCardSigns(
  statement: OpenedStatement,
  told: { invocation: Invocation; flags: ImportFlags; accounts: AccountBook },
): Promise<StatementDirection | undefined> {
  const { openSigns } = statement;
  const { flags, accounts } = told;
  const { asker } = told.invocation;
  if (openSigns === undefined || openSigns.minus > openSigns.other) return undefined;
  const card = await describeCard(openSigns.cardHeader, { flags, accounts });
  if (card === undefined) return undefined;
  const { minus, other } = openSigns;
  const message = `${card}, and of its amounts ${minus} of ${minus + other} have a minus.`;
  if (!asker.canAsk || flags.yes === true) {
    throw new UsageError(
      `${message} It may be money that came back, or money spent.`,
      'Say what a minus is with --minus income or --minus expense.',
    );
  }
  return (await asker.askYesNo(`${message} Are those with a minus money that came back?`)) ? 'income' : 'expense';
}

/** How it is known that the file is of a card; undefined where nothing says so. */
async function describeCard(
  cardHeader: string | undefined,
  { flags, accounts }: { flags: ImportFlags; accounts: AccountBook },
): Promise<string | undefined> {
  const account = flags.account === undefined ? undefined : await accounts.rehearse().find(flags.account);
  if (account !== undefined && 'found' in account && account.found.type === 'credit_card') {
    return `${account.found.name} is a credit card`;
  }
  return cardHeader === undefined ? undefined : `The file is of a card, by its column "${cardHeader}"`;
}
