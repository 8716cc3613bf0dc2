import { type Account, type FinancialClient, isFinancialApiError } from '@centavo/sdk';
import { describeErrorBriefly } from '../../describe-error.js';
import { foldCase, matchByName } from '../choose-by-name.js';
import { requireTrackerCurrency } from '../record-ids.js';
import { isRowError } from './row-error.js';

/** The account of a row. In a dry run one that would be made has no id yet. */
export interface TargetAccount {
  readonly id: string | null;
  readonly name: string;
  readonly type: Account['type'];
  readonly currencyCode: string;
}

/** What a statement says of an account; null or absent where it says nothing. */
export interface ToldAccount {
  readonly type?: Account['type'] | null;
  readonly currencyCode?: string | null;
}

export type Found<Target> = { readonly found: Target } | { readonly reason: string };

/**
 * The accounts of the tracker by the names that a statement uses; those that are missing are made once, when that is
 * allowed, and remembered when they cannot be.
 */
export class AccountBook {
  /** Names of the accounts that were made, or in a dry run would be. */
  readonly created: string[] = [];
  readonly #client: FinancialClient;
  readonly #options: { mayCreate: boolean; isDryRun: boolean; currencyCode: string | undefined };
  readonly #accounts: readonly Account[];
  readonly #known = new Map<string, Promise<Found<TargetAccount>>>();
  #trackerCurrency: Promise<string> | undefined;

  private constructor(
    client: FinancialClient,
    accounts: readonly Account[],
    options: { mayCreate: boolean; isDryRun: boolean; currencyCode: string | undefined },
  ) {
    this.#client = client;
    this.#accounts = accounts;
    this.#options = options;
  }

  /** @param options.currencyCode of accounts that are made; undefined: the row's, else the tracker's */
  static async load(
    client: FinancialClient,
    options: { mayCreate: boolean; isDryRun: boolean; currencyCode: string | undefined },
  ): Promise<AccountBook> {
    return new AccountBook(client, (await client.accounts.list()).data, options);
  }

  /** A book of the same accounts that makes none: what it finds is what would be. */
  rehearse(): AccountBook {
    return new AccountBook(this.#client, this.#accounts, { ...this.#options, isDryRun: true });
  }

  /**
   * The account that a name or id means, or why there is none.
   * @param told what the statement says of it, for one that has to be made
   * @throws whatever ends the whole import: no rights, no network
   */
  find(name: string, told: ToldAccount = {}): Promise<Found<TargetAccount>> {
    const key = foldCase(name);
    const known = this.#known.get(key) ?? this.#look(name, told);
    this.#known.set(key, known);
    return known;
  }

  async #look(name: string, told: ToldAccount): Promise<Found<TargetAccount>> {
    const [first, ...others] = matchByName(name, this.#accounts);
    if (others.length > 0) return { reason: `several accounts are named "${name}" (--account takes an id)` };
    if (first !== undefined) return { found: first };
    if (!this.#options.mayCreate) return { reason: `there is no account "${name}" (--create-accounts makes it)` };
    const type: Account['type'] = told.type ?? (/card/i.test(name) ? 'credit_card' : 'checking');
    const currencyCode = this.#options.currencyCode ?? told.currencyCode ?? undefined;
    try {
      const found = this.#options.isDryRun
        ? { id: null, name, type, currencyCode: currencyCode ?? (await this.#currencyOfTracker()) }
        : await this.#client.accounts.create({ name, type, currencyCode });
      this.created.push(name);
      return { found };
    } catch (error) {
      if (!isFinancialApiError(error) || !isRowError(error)) throw error;
      return { reason: `the account "${name}" cannot be made: ${describeErrorBriefly(error)}` };
    }
  }
  /** What an account is made in where no currency is named. */
  #currencyOfTracker(): Promise<string> {
    this.#trackerCurrency ??= requireTrackerCurrency(this.#client);
    return this.#trackerCurrency;
  }
}
