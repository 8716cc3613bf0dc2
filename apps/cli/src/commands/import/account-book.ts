import {
  type Account,
  currencyCodes,
  type FinancialClient,
  isFinancialApiError,
  isPermissionError,
} from '@centavo/sdk';
import { describeErrorBriefly, userSessionRemedy } from '../../describe-error.js';
import { AdvisedError } from '../../errors.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';
import { foldCase, matchByName } from '../shared/choose-by-name.js';
import { requireTrackerCurrency } from '../shared/resolve-id.js';
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
  readonly #tracker: TrackerOfBook;
  readonly #options: BookOptions;
  readonly #known = new Map<string, Promise<Found<TargetAccount>>>();

  private constructor(tracker: TrackerOfBook, options: BookOptions) {
    this.#tracker = tracker;
    this.#options = options;
  }

  /** @param options.currencyCode of accounts that are made; undefined: the row's, else the tracker's */
  static async load(client: FinancialClient, options: BookOptions): Promise<AccountBook> {
    const { data: accounts } = await client.accounts.list();
    let currencyCode: Promise<string> | undefined;
    const askCurrency = () => {
      currencyCode ??= requireTrackerCurrency(client);
      return currencyCode;
    };
    return new AccountBook({ client, accounts, askCurrency }, options);
  }

  /** A book of the same accounts that makes none: what it finds is what would be. */
  rehearse(): AccountBook {
    return new AccountBook(this.#tracker, { ...this.#options, isDryRun: true });
  }

  /** The account that a name means, or that would be made of it, as far as the name tells; undefined where there is none. */
  describe(name: string): Pick<Account, 'name' | 'type'> | undefined {
    const [first, ...others] = matchByName(name, this.#tracker.accounts);
    if (others.length > 0) return undefined;
    return first ?? (this.#options.mayCreate ? { name, type: typeOfName(name) } : undefined);
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
    const [first, ...others] = matchByName(name, this.#tracker.accounts);
    if (others.length > 0) return { reason: `several accounts are named "${name}" (--account takes an id)` };
    if (first !== undefined) return { found: first };
    if (!this.#options.mayCreate) return { reason: `there is no account "${name}" (--create-accounts makes it)` };
    const type = told.type ?? typeOfName(name);
    const named = this.#options.currencyCode ?? told.currencyCode ?? undefined;
    if (named !== undefined && !currencyCodes.has(named)) {
      return { reason: `the account "${name}" cannot be made: "${named}" is no currency code of ISO 4217` };
    }
    if (this.#options.isDryRun) {
      const found = { id: null, name, type, currencyCode: named ?? (await this.#currencyOfTracker(name)) };
      this.created.push(name);
      return { found };
    }
    try {
      const found = await this.#tracker.client.accounts.create({
        name: withoutFormatCharacters(name),
        type,
        currencyCode: named,
      });
      this.created.push(name);
      return { found };
    } catch (error) {
      if (!isFinancialApiError(error) || !isRowError(error)) throw error;
      return { reason: `the account "${name}" cannot be made: ${describeErrorBriefly(error)}` };
    }
  }

  /** @throws AdvisedError (exit 4) to a key that may not ask: the account is made by a user alone */
  async #currencyOfTracker(name: string): Promise<string> {
    try {
      return await this.#tracker.askCurrency();
    } catch (error) {
      if (!isPermissionError(error)) throw error;
      const message = `To make the account "${name}" needs a user session.`;
      throw new AdvisedError(error, { message, remedy: userSessionRemedy });
    }
  }
}

/** What is known of the tracker, once for a book and its rehearsals. */
interface TrackerOfBook {
  readonly client: FinancialClient;
  readonly accounts: readonly Account[];
  /** In what the server makes an account where no currency is named. */
  askCurrency(): Promise<string>;
}

interface BookOptions {
  readonly mayCreate: boolean;
  readonly isDryRun: boolean;
  readonly currencyCode: string | undefined;
}

function typeOfName(name: string): Account['type'] {
  return /card/i.test(name) ? 'credit_card' : 'checking';
}
