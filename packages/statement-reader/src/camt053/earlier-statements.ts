import { createHash } from 'node:crypto';
import { isCalendarDate } from '@centavo/contracts/calls';
import type { BalanceStore } from '../options.js';
import { type FileAccount, identityOf, type StatementBalances } from '../survey-accounts.js';

/**
 * Finds the balances of the last statement of each account and currency in earlier files, and saves those of the current file. If several
 * statements end on the same last day, saves up to `statementsMax` of them, because the files do not show which of them is the last.
 */
export class EarlierStatements {
  readonly #fileName: string;
  readonly #store: BalanceStore | undefined;
  readonly #found = new Map<string, Promise<readonly StatementBalances[]>>();
  /** The last statements of each account and currency in the current file. */
  readonly #last = new Map<string, readonly StatementBalances[]>();

  /** @param options.store if undefined, no balances are found or saved */
  constructor({ fileName, store }: { fileName: string; store: BalanceStore | undefined }) {
    this.#fileName = fileName;
    this.#store = store;
  }

  /** Adds a statement of the current file, and returns the last statements of its account and currency in earlier files. */
  find(account: FileAccount, balances: StatementBalances): Promise<readonly StatementBalances[]> {
    const fingerprint = fingerprintOf(account, balances.currencyCode);
    const ofFile = { ...balances, fileName: this.#fileName };
    this.#last.set(fingerprint, lastOf([...(this.#last.get(fingerprint) ?? []), ofFile]));
    const found = this.#found.get(fingerprint) ?? this.#read(fingerprint);
    this.#found.set(fingerprint, found);
    return found;
  }

  /**
   * For each account and currency in the current file, merges its last statements with those saved from earlier files. Saves only the
   * statements that end on the latest day.
   */
  async save(): Promise<void> {
    for (const [fingerprint, statements] of this.#last) {
      const known = await this.#read(fingerprint);
      await this.#store?.save(fingerprint, JSON.stringify(lastOf([...known, ...statements])));
    }
  }

  async #read(fingerprint: string): Promise<readonly StatementBalances[]> {
    return parseStatements(await this.#store?.find(fingerprint));
  }
}

/** Returns the statements that end on the last day, each of them once, and at most `statementsMax`. */
function lastOf(statements: readonly StatementBalances[]): readonly StatementBalances[] {
  const lastDay = statements
    .map(({ closing }) => closing.day)
    .sort()
    .at(-1);
  const last = statements.filter(({ closing }) => closing.day === lastDay);
  const byBalances = new Map(last.map((one) => [JSON.stringify([one.opening, one.closing]), one]));
  return [...byBalances.values()].slice(-statementsMax);
}

/** The maximum number of statements of one day that are stored. */
const statementsMax = 20;

/** Returns a hash instead of the account number, because a store may use the result as a file name. */
function fingerprintOf(account: FileAccount, currencyCode: string): string {
  return createHash('sha256')
    .update(`camt053 ${identityOf(account)} ${currencyCode}`)
    .digest('hex')
    .slice(0, 32);
}

/** Parses the text of saved statements; returns an empty list if the text is absent or damaged. */
function parseStatements(text: string | undefined): readonly StatementBalances[] {
  try {
    const statements: unknown = JSON.parse(text ?? '');
    return Array.isArray(statements) && statements.every(isStatement) ? statements : [];
  } catch {
    return [];
  }
}

function isStatement(value: unknown): value is StatementBalances {
  const { currencyCode, fileName, opening, closing } = (value ?? {}) as Record<string, unknown>;
  return typeof currencyCode === 'string' && typeof fileName === 'string' && isBalance(opening) && isBalance(closing);
}

function isBalance(value: unknown): boolean {
  const { amount, day } = (value ?? {}) as Record<string, unknown>;
  if (typeof amount !== 'string' || typeof day !== 'string') return false;
  return /^-?\d+(\.\d+)?$/.test(amount) && isCalendarDate(day);
}
