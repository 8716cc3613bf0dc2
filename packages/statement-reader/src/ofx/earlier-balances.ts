import { createHash } from 'node:crypto';
import type { BalanceStore } from '../options.js';
import { type FileAccount, identityOf } from '../survey-accounts.js';

/** A ledger balance of an account. */
export interface LedgerBalance {
  readonly amount: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** The name of the file that states the balance; absent for the current file. */
  readonly fileName?: string;
  /**
   * The signed amounts of the transactions on `day` in the statement of the balance, in the order of the file. The balance may or may not
   * include each of them. Absent if they are unknown.
   */
  readonly amountsOfDay?: readonly string[];
}

/** Finds the latest ledger balance of each account in earlier files, and saves the balances of the current file. */
export class EarlierBalances {
  /** The name of the current file. */
  readonly fileName: string;
  readonly #store: BalanceStore | undefined;
  readonly #found = new Map<string, Promise<LedgerBalance | undefined>>();
  /** The latest balance of each account in the current file. */
  readonly #stated = new Map<string, LedgerBalance>();

  /** @param options.store if undefined, no balances are found or saved */
  constructor({ fileName, store }: { fileName: string; store: BalanceStore | undefined }) {
    this.fileName = fileName;
    this.#store = store;
  }

  find(account: FileAccount): Promise<LedgerBalance | undefined> {
    const fingerprint = fingerprintOf(account);
    const found = this.#found.get(fingerprint) ?? this.#read(fingerprint);
    this.#found.set(fingerprint, found);
    return found;
  }

  /** Adds a balance of the current file. */
  add(account: FileAccount, balance: LedgerBalance): void {
    const fingerprint = fingerprintOf(account);
    const known = this.#stated.get(fingerprint);
    if (known === undefined || known.day <= balance.day) this.#stated.set(fingerprint, balance);
  }

  /** Saves the latest balance of each account of the file, unless a balance of a later day is already saved for the account. */
  async save(): Promise<void> {
    for (const [fingerprint, balance] of this.#stated) {
      const known = await this.#read(fingerprint);
      if (known !== undefined && known.day > balance.day) continue;
      await this.#store?.save(fingerprint, JSON.stringify({ ...balance, fileName: this.fileName }));
    }
  }

  async #read(fingerprint: string): Promise<LedgerBalance | undefined> {
    return parseBalance(await this.#store?.find(fingerprint));
  }
}

/** Returns a hash instead of the account number, because a store may use the result as a file name. */
function fingerprintOf(account: FileAccount): string {
  return createHash('sha256')
    .update(`ofx ${identityOf(account)}`)
    .digest('hex')
    .slice(0, 32);
}

/** Parses the text of a saved balance; returns undefined if the text is absent or damaged. */
function parseBalance(text: string | undefined): LedgerBalance | undefined {
  try {
    const { amount, day, fileName, amountsOfDay } = JSON.parse(text ?? '') as Record<string, unknown>;
    if (!isDecimal(amount) || typeof fileName !== 'string') return undefined;
    if (typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
    const isKnown = Array.isArray(amountsOfDay) && amountsOfDay.every(isDecimal);
    return { amount, day, fileName, ...(isKnown ? { amountsOfDay } : {}) };
  } catch {
    return undefined;
  }
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}
