import { readLines, type StatementSource } from '../source.js';
import type { StatementAccount } from '../statement.js';
import { StatementError } from '../statement-error.js';

/** One transaction of a QIF file, with its values as strings. `line` is the number of the record's first line, from 1. */
export interface QifRecord {
  readonly line: number;
  readonly account: { readonly name: string; readonly type: StatementAccount['type'] } | null;
  /** The type of the account. A file may show the type without the name of the account. In this case, `account` is null. */
  readonly accountType: StatementAccount['type'];
  readonly isInvestment: boolean;
  /**
   * The values of the record, except those of its splits. The key is the letter that begins the line: `D`, `T`, `P` … If several
   * lines begin with the same letter, only the first is kept.
   */
  readonly fields: ReadonlyMap<string, string>;
  /**
   * The letter `D` (date), `T` (amount) or `P` (payee), if two lines of the record begin with it. A `^` is then probably missing
   * between two transactions.
   */
  readonly repeatedLetter?: 'D' | 'T' | 'P';
  readonly splits: readonly QifSplit[];
}

export interface QifSplit {
  readonly category: string;
  readonly memo: string;
  /** Empty if the split has only a percentage. */
  readonly amount: string;
}

/**
 * Yields the transactions of a QIF file in constant memory. Skips lists, such as those of categories, securities and prices.
 * Also skips comments: lines that begin with `#` and are not inside a transaction. A file may begin without `!Type:`.
 * A file may have several accounts; the `!Account` section above the transactions of an account contains the account's name.
 * @throws StatementError if the file cannot be read, has no `^` after the last transaction of a section, or has transactions of
 *   different kinds of accounts without an `!Account` section between them
 */
export async function* readQifRecords(source: StatementSource, encoding: string): AsyncGenerator<QifRecord> {
  let section: Section = { line: 0, header: '', kind: 'transactions', type: null };
  let account: { name: string; type: StatementAccount['type'] } | null = null;
  /** The section of the first transaction of the current account. */
  let first: Section | undefined;
  let record = new OpenQifRecord();
  let lineNumber = 0;
  for await (const text of readLines(source, encoding)) {
    lineNumber += 1;
    const line = text.trimEnd();
    if (line === '' || (record.line === 0 && line.startsWith('#'))) continue;
    if (line.startsWith('!')) {
      // Between `!Option:AutoSwitch` and `!Clear:AutoSwitch`, the file lists all its accounts. Transactions below this list do
      // not belong to the last account of the list.
      if (/^!Clear:AutoSwitch/i.test(line)) account = null;
      if (record.line > 0 && (section.kind === 'transactions' || section.kind === 'investments')) {
        throw missingEnd(source, `the transaction that begins on line ${record.line}`);
      }
      section = readHeader(line, lineNumber) ?? section;
      if (section.kind === 'account') first = undefined;
      record = new OpenQifRecord();
    } else if (!line.startsWith('^')) {
      record.add(line, lineNumber);
    } else {
      if (section.kind === 'account') account = record.toAccount();
      else if (section.kind !== 'list' && record.line > 0) {
        if (section.kind === 'transactions' && section.type !== null) {
          first ??= section;
          if (first.type !== section.type) throw mixedAccounts(first, section);
        }
        const type = section.type ?? account?.type ?? null;
        yield record.finish({
          account: account === null ? null : { name: account.name, type },
          accountType: type,
          isInvestment: section.kind === 'investments',
        });
      }
      record = new OpenQifRecord();
    }
  }
  // If the end mark (`^`) of the last transaction is missing, the file may be cut off, even in the middle of an amount.
  if (record.line === 0 || section.kind === 'list') return;
  throw missingEnd(source, 'its last transaction');
}

function missingEnd(source: StatementSource, transaction: string): StatementError {
  return new StatementError(
    `${source.name} has no end mark (^) after ${transaction}, so rows may be missing.`,
    'Export the statement again.',
  );
}

function mixedAccounts(...sections: readonly Section[]): StatementError {
  const places = sections.map(({ line, header }) => `line ${line} (${header})`).join(' and ');
  return new StatementError(
    `The transactions below ${places} are of different accounts, but no !Account section separates them.`,
    'Split the file into one file for each account, and import each of them into its own account.',
  );
}

interface Section {
  /** The line number of `header`. */
  readonly line: number;
  readonly header: string;
  readonly kind: 'transactions' | 'investments' | 'account' | 'list';
  readonly type: StatementAccount['type'];
}

/** Returns the section that the line `header` begins; undefined for an option, such as `!Clear:AutoSwitch`. */
function readHeader(header: string, line: number): Section | undefined {
  if (/^!Account/i.test(header)) return { line, header, kind: 'account', type: null };
  const name = /^!Type:(.*)$/i.exec(header)?.[1]?.trim().toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'invst') return { line, header, kind: 'investments', type: 'investment' };
  const type = accountTypes[name];
  return type === undefined ? { line, header, kind: 'list', type: null } : { line, header, kind: 'transactions', type };
}

const accountTypes: Readonly<Record<string, StatementAccount['type']>> = {
  bank: 'checking',
  ccard: 'credit_card',
  cash: 'cash',
  'oth a': 'other',
  'oth l': 'loan',
};

/** The known types (`!Type:`) of sections that contain no transactions. */
const listTypes: ReadonlySet<string> = new Set([
  'cat',
  'class',
  'tag',
  'memorized',
  'security',
  'prices',
  'budget',
  'invitem',
  'template',
]);

/**
 * Returns whether a file without transactions is an empty statement. An empty statement has a section for transactions,
 * and no section of an unknown type, because the records of an unknown section may be transactions.
 * @throws StatementError if the file cannot be read
 */
export async function isEmptyQif(source: StatementSource, encoding: string): Promise<boolean> {
  let hasTransactions = false;
  for await (const line of readLines(source, encoding)) {
    const name = /^!Type:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase();
    if (name === undefined) continue;
    if (accountTypes[name] !== undefined || name === 'invst') hasTransactions = true;
    else if (!listTypes.has(name)) return false;
  }
  return hasTransactions;
}

class OpenQifRecord {
  /** The number of the record's first line; 0 if no line was added yet. */
  line = 0;
  readonly #fields = new Map<string, string>();
  readonly #splits: { category: string; memo: string; amount: string }[] = [];
  #repeatedLetter: QifRecord['repeatedLetter'];

  add(text: string, line: number): void {
    if (this.line === 0) this.line = line;
    const [letter, value] = [text.slice(0, 1).toUpperCase(), text.slice(1).trim()];
    const split = this.#splits.at(-1);
    if (letter === 'S') this.#splits.push({ category: value, memo: '', amount: '' });
    else if (letter === 'E' && split !== undefined) split.memo = value;
    else if (letter === '$' && split !== undefined) split.amount = value;
    else if (!this.#fields.has(letter)) this.#fields.set(letter, value);
    else if (letter === 'D' || letter === 'T' || letter === 'P') this.#repeatedLetter ??= letter;
  }

  toAccount(): { name: string; type: StatementAccount['type'] } | null {
    const name = this.#fields.get('N') ?? '';
    return name === '' ? null : { name, type: accountTypes[(this.#fields.get('T') ?? '').toLowerCase()] ?? null };
  }

  finish(place: Pick<QifRecord, 'account' | 'accountType' | 'isInvestment'>): QifRecord {
    const repeatedLetter = this.#repeatedLetter;
    const record = { ...place, line: this.line, fields: this.#fields, splits: this.#splits };
    return repeatedLetter === undefined ? record : { ...record, repeatedLetter };
  }
}
