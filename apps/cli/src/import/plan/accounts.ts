import { currencyCodes, withoutFormatCharacters } from '@centavo/contracts/calls';
import { type Account, type FinancialClient, isFinancialApiError, isPermissionError } from '@centavo/sdk';
import type { OpenedStatement, StatementAccount, StatementRow } from '@centavo/statement-reader';
import { matchByName, normalizeName } from '../../commands/shared/choose-by-name.js';
import { requireTrackerCurrency } from '../../commands/shared/resolve-id.js';
import { describeErrorBriefly, userSessionRemedy } from '../../describe-error.js';
import { AdvisedError, UsageError } from '../../errors.js';
import type { ImportFlags, StatementAccountChoice } from '../request.js';
import { isRowError } from '../retry.js';

/** The account of a row. Its id is null if the account does not exist yet: in a dry run, and while an import is planned. */
export interface TargetAccount {
  readonly id: string | null;
  readonly name: string;
  readonly type: Account['type'];
  readonly currencyCode: string;
}

/** The facts that a file contains about an account; a fact that the file does not contain is null or absent. */
export interface AccountFacts {
  readonly type?: Account['type'] | null;
  readonly currencyCode?: string | null;
}

/** The account or category for a name in the statement, or the reason why there is none. */
export type Resolution<Target> = { readonly found: Target } | { readonly reason: string };

/** Resolves each account name of a statement once. Creates missing accounts if the options allow it. */
export class AccountResolver {
  /** In a dry run, the names of the accounts that the import would create. */
  readonly wouldCreate: string[] = [];
  readonly #tracker: TrackerAccounts;
  readonly #options: AccountOptions;
  readonly #resolutions = new Map<string, Promise<Resolution<TargetAccount>>>();

  private constructor(tracker: TrackerAccounts, options: AccountOptions) {
    this.#tracker = tracker;
    this.#options = options;
  }

  /** Reads the accounts of the tracker. */
  static async load(client: FinancialClient, options: AccountOptions): Promise<AccountResolver> {
    const { data: accounts } = await client.accounts.list();
    let currencyCode: Promise<string> | undefined;
    const readCurrency = () => {
      currencyCode ??= requireTrackerCurrency(client);
      return currencyCode;
    };
    return new AccountResolver({ client, accounts, readCurrency }, options);
  }

  /** Whether the tracker had at least one account when the accounts were read. */
  get hasAccounts(): boolean {
    return this.#tracker.accounts.length > 0;
  }

  /** Returns a resolver for the same accounts. The new resolver creates no accounts. */
  asDryRun(): AccountResolver {
    return new AccountResolver(this.#tracker, { ...this.#options, isDryRun: true });
  }

  /**
   * Returns the name and type of the account that `resolve(name)` would find or create, without creating it. Also returns
   * its currency, if the account exists. Undefined if several accounts match, or if none matches and none would be created.
   */
  describe(name: string): (Pick<Account, 'name' | 'type'> & Partial<Pick<Account, 'currencyCode'>>) | undefined {
    const [first, ...others] = matchByName(name, this.#tracker.accounts);
    if (others.length > 0) return undefined;
    return first ?? (this.#options.mayCreate ? { name, type: typeOfName(name) } : undefined);
  }

  /**
   * Returns the account with this name or id, or the reason why there is none.
   * @param facts the type and currency for an account that has to be created
   * @throws an error that stops the whole import, such as a missing scope or a lost connection
   */
  resolve(name: string, facts: AccountFacts = {}): Promise<Resolution<TargetAccount>> {
    const key = normalizeName(name);
    const known = this.#resolutions.get(key) ?? this.#resolveNew(name, facts);
    this.#resolutions.set(key, known);
    return known;
  }

  async #resolveNew(name: string, facts: AccountFacts): Promise<Resolution<TargetAccount>> {
    const [first, ...others] = matchByName(name, this.#tracker.accounts);
    if (others.length > 0) return { reason: `several accounts have the name "${name}" (--account accepts an id)` };
    if (first !== undefined) return { found: first };
    if (!this.#options.mayCreate) return { reason: `there is no account "${name}" (--create-accounts creates it)` };
    const type = facts.type ?? typeOfName(name);
    const namedCurrency = this.#options.currencyCode ?? facts.currencyCode ?? undefined;
    if (namedCurrency !== undefined && !currencyCodes.has(namedCurrency)) {
      return {
        reason: `cannot create the account "${name}": "${namedCurrency}" is not an ISO 4217 currency code (set one with --currency)`,
      };
    }
    if (this.#options.isDryRun) {
      const currencyCode = namedCurrency ?? (await this.#trackerCurrency(name));
      this.wouldCreate.push(name);
      return { found: { id: null, name, type, currencyCode } };
    }
    try {
      const found = await this.#tracker.client.accounts.create({
        name: withoutFormatCharacters(name),
        type,
        currencyCode: namedCurrency,
      });
      return { found };
    } catch (error) {
      if (!isFinancialApiError(error) || !isRowError(error)) throw error;
      return { reason: `cannot create the account "${name}": ${describeErrorBriefly(error)}` };
    }
  }

  /**
   * Returns the currency of the tracker.
   * @throws AdvisedError (exit 4) for an API key: only users may read the currency and create accounts
   */
  async #trackerCurrency(name: string): Promise<string> {
    try {
      return await this.#tracker.readCurrency();
    } catch (error) {
      if (!isPermissionError(error)) throw error;
      const message = `Only a user session can create the account "${name}".`;
      throw new AdvisedError(error, { message, remedy: userSessionRemedy });
    }
  }
}

/** The accounts of the tracker, shared by a resolver and its copy for dry runs. */
interface TrackerAccounts {
  readonly client: FinancialClient;
  readonly accounts: readonly Account[];
  /** Reads the currency of the tracker, which new accounts have if neither `--currency` nor the file names a currency. */
  readCurrency(): Promise<string>;
}

interface AccountOptions {
  readonly mayCreate: boolean;
  readonly isDryRun: boolean;
  /** Currency of created accounts. Default: the currency of the file, otherwise the currency of the tracker. */
  readonly currencyCode: string | undefined;
}

function typeOfName(name: string): Account['type'] {
  return /card/i.test(name) ? 'credit_card' : 'checking';
}

/**
 * Requires that the account of each row is named by the flags or by the file, and that `--account` is not given for a
 * file with several accounts. Sends no request.
 * @throws UsageError (exit 2) with the flag that names or selects an account
 */
export function requireUnambiguousAccounts(statement: OpenedStatement, flags: ImportFlags): void {
  const accounts = statement.accounts ?? [];
  if (flags.account === undefined) {
    if (statement.namesAccounts) return;
    const orColumn = statement.accounts === undefined ? ', or their column with --account-column' : '';
    throw new UsageError(
      'The file does not name the account of its rows.',
      `Name the account with --account${orColumn}.`,
    );
  }
  const namedCount = accounts.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const hasSeveral = accounts.length > 1 || (accounts.length === 1 && namedCount < statement.rowCount);
  if (!hasSeveral) return;
  throw new UsageError(
    `--account names one account, but the file has rows of several: ${accounts.map(describeAccount).join('; ')}.`,
    `Choose one with --statement-account "${accounts[0]?.name}", or leave out --account and map each account with --statement-account "${accounts[0]?.name}=ACCOUNT".`,
  );
}

/**
 * Requires that every account of the file exists in the tracker, and has the currency that the file names for it, if any.
 * Called before a row is recorded. With `--create-accounts`, an account may be missing: the import later creates it with
 * the type and currency of the file.
 *
 * @throws UsageError (exit 2) with the accounts that are missing or ambiguous, and the flags that map or create them
 * @throws UsageError (exit 2) if the currencies of an account and its statement differ
 */
export async function requireStatementAccounts(
  accounts: readonly StatementAccount[],
  {
    resolver,
    accountChoice,
    flags,
  }: { resolver: AccountResolver; accountChoice: StatementAccountChoice; flags: ImportFlags },
): Promise<void> {
  const problems: { readonly name: string; readonly text: string }[] = [];
  for (const account of accounts) {
    const name = flags.account ?? accountChoice.targetOf(account.name);
    if (flags.createAccounts === true && flags.currency !== undefined) {
      requireSameCurrency(account, { name, currencyCode: flags.currency });
    }
    const target = await resolver.resolve(name, account);
    if ('reason' in target) {
      problems.push({ name: account.name, text: `${describeAccount(account)}: ${target.reason}` });
    } else requireSameCurrency(account, target.found);
  }
  const [first] = problems;
  if (first === undefined) return;
  const remedy =
    accounts.length === 1
      ? 'Name the account with --account'
      : `Map it with --statement-account "${first.name}=ACCOUNT"`;
  throw new UsageError(
    `Cannot import ${problems.map(({ text }) => text).join('; ')}.`,
    `${remedy}, or create it with --create-accounts.`,
  );
}

/**
 * Requires that an account and its statement have the same currency. If the currencies differ, the statement belongs to
 * another account.
 */
function requireSameCurrency(account: StatementAccount, target: { name: string; currencyCode: string }): void {
  if (account.currencyCode === null || account.currencyCode === target.currencyCode) return;
  const remedy = currencyRemedy(account.currencyCode, target.currencyCode);
  throw new UsageError(
    `The statement of ${account.name} is in ${account.currencyCode}, but the account ${target.name} is in ${target.currencyCode}.`,
    remedy === undefined ? `Name an account in ${account.currencyCode}.` : `${remedy.replace(/^u/, 'U')}.`,
  );
}

function describeAccount({ name, currencyCode, rowCount }: StatementAccount): string {
  const rows = rowCount === 1 ? '1 row' : `${rowCount} rows`;
  return [`"${name}"`, currencyCode ?? undefined, rows].filter((text) => text !== undefined).join(', ');
}

/**
 * Old currency codes that banks still write, each with the ISO 4217 code of the currency that the banks mean. For example,
 * Russian banks write RUR for today's rouble. Codes of currencies that no longer exist, such as DEM, are not listed: their
 * amounts would need a conversion.
 */
const successors: Readonly<Record<string, string>> = { RUR: 'RUB' };

/** The code of ISO 4217 for "no currency". */
const noCurrency = 'XXX';

/**
 * Returns the statement with two codes replaced by the code of `--currency`: XXX (no currency), and the old code of the
 * currency that `--currency` names, such as RUR if `--currency` is RUB. No amount is converted.
 */
export function withNamedCurrency(statement: OpenedStatement, currencyCode: string | undefined): OpenedStatement {
  if (currencyCode === undefined) return statement;
  const replace = (code: string | null) =>
    code !== null && (code === noCurrency || successors[code] === currencyCode) ? currencyCode : code;
  return {
    ...statement,
    ...(statement.accounts !== undefined && {
      accounts: statement.accounts.map((account) => ({ ...account, currencyCode: replace(account.currencyCode) })),
    }),
    rows: () => replaceInRows(statement.rows(), replace),
  };
}

async function* replaceInRows(
  rows: AsyncIterable<StatementRow>,
  replace: (code: string | null) => string | null,
): AsyncGenerator<StatementRow> {
  for await (const row of rows) {
    const currencyCode = row.outcome === 'transaction' ? replace(row.transaction.currencyCode) : null;
    if (row.outcome !== 'transaction' || currencyCode === row.transaction.currencyCode) yield row;
    else yield { ...row, transaction: { ...row.transaction, currencyCode } };
  }
}

/**
 * Returns the remedy for rows with the code XXX or with an old code of the account's currency; undefined for other codes.
 * @param accountCurrency the currency of the account in which the rows are recorded
 */
export function currencyRemedy(code: string, accountCurrency: string): string | undefined {
  if (code === noCurrency) return `use --currency ${accountCurrency} if the amounts are in ${accountCurrency}`;
  return successors[code] === accountCurrency
    ? `use --currency ${accountCurrency} if ${code} means ${accountCurrency} here`
    : undefined;
}
