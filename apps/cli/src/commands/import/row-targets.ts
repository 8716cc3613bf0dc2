import type { FinancialClient } from '@centavo/sdk';
import { UsageError } from '../../errors.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { StatementTransaction } from '../../statements/statement-row.js';
import { chooseByName } from '../shared/choose-by-name.js';
import { requireCashboxId } from '../shared/resolve-id.js';
import type { AccountBook, Found, TargetAccount } from './account-book.js';
import type { CategoryBook } from './category-book.js';
import type { ImportFlags } from './import-flags.js';
import type { AccountWishes } from './statement-accounts.js';
import type { TransferLegs } from './transfer-legs.js';

/** Where rows go and what they may make on the way. */
export interface RowTargets {
  readonly format: string;
  readonly accounts: AccountBook;
  readonly categories: CategoryBook;
  /** The transfers that are there already. */
  readonly legs: TransferLegs;
  /** The cashbox of every row, where one was named. */
  readonly cashboxId: string | undefined;
  accountOf(transaction: StatementTransaction): Promise<Found<TargetAccount>>;
  /** Whether the file may have a row's own id more than once. */
  mayRepeat(statementId: string): boolean;
}

interface TargetRequest {
  readonly statement: OpenedStatement;
  readonly flags: ImportFlags;
  readonly wishes: AccountWishes;
  readonly books: Pick<RowTargets, 'accounts' | 'categories' | 'legs'>;
}

/**
 * Settles where the rows of a statement go: all into `--account`, or each into the account that it names.
 * @throws UnknownNameError (exit 5), UsageError (exit 2) for an `--account` or `--cashbox` that there is not
 */
export async function settleTargets(client: FinancialClient, request: TargetRequest): Promise<RowTargets> {
  const { flags, books } = request;
  const { format, mayRepeat = () => true } = request.statement;
  const file = { ...books, format, mayRepeat };
  if (flags.account === undefined) {
    return { ...file, cashboxId: undefined, accountOf: (transaction) => findAccount(transaction, request) };
  }
  const account = await requireAccount(client, request);
  const cashboxId =
    flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, account.id ?? undefined);
  return { ...file, cashboxId, accountOf: async () => ({ found: account }) };
}

async function findAccount(
  { accountName, currencyCode }: StatementTransaction,
  { statement, wishes, books }: TargetRequest,
): Promise<Found<TargetAccount>> {
  if (accountName === null) return { reason: 'it names no account' };
  const told = statement.accounts?.find(({ name }) => name === accountName) ?? { currencyCode };
  return books.accounts.find(wishes.nameOf(accountName), told);
}

/** The account of every row must exist before any row is read; its absence is not one row's failure. */
async function requireAccount(
  client: FinancialClient,
  { statement, flags, books }: TargetRequest,
): Promise<TargetAccount> {
  const name = flags.account ?? '';
  const account = await books.accounts.find(name, statement.accounts?.[0]);
  if ('found' in account) return account.found;
  if (flags.createAccounts === true) {
    throw new UsageError(`Of the account nothing can be recorded: ${account.reason}.`);
  }
  return chooseByName({ noun: 'account', wanted: name, records: (await client.accounts.list()).data });
}
