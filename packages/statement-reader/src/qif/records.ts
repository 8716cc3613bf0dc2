import { readLines, type StatementSource } from '../source.js';
import type { StatementAccount } from '../statement.js';
import { StatementError } from '../statement-error.js';

/** One transaction of a QIF file, as the file spells it; `line` is its first line, from 1. */
export interface QifRecord {
  readonly line: number;
  readonly account: { readonly name: string; readonly type: StatementAccount['type'] } | null;
  /** The type of the account, also of an account without a name. */
  readonly accountType: StatementAccount['type'];
  readonly isInvestment: boolean;
  /** The first value of each letter: `D`, `T`, `P` … */
  readonly fields: ReadonlyMap<string, string>;
  /** Set if the record has two dates, amounts or payees: a `^` is probably missing between two transactions. */
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
 * Yields the transactions of a QIF file in constant memory. Skips lists of categories, securities and prices, and comments
 * between transactions, which begin with `#`. A file may begin without `!Type:`. A file may have several accounts; the
 * `!Account` section above the transactions of an account contains its name.
 * @throws StatementError if the file cannot be read, or has no `^` after the last transaction of a section
 */
export async function* readQifRecords(source: StatementSource, encoding: string): AsyncGenerator<QifRecord> {
  let section: Section = { kind: 'transactions', type: null };
  let account: { name: string; type: StatementAccount['type'] } | null = null;
  let record = new OpenQifRecord();
  let lineNumber = 0;
  for await (const text of readLines(source, encoding)) {
    lineNumber += 1;
    const line = text.trimEnd();
    if (line === '' || (record.line === 0 && line.startsWith('#'))) continue;
    if (line.startsWith('!')) {
      // The list of all accounts is between `!Option:AutoSwitch` and `!Clear:AutoSwitch`. No account of this list is the
      // current account.
      if (/^!Clear:AutoSwitch/i.test(line)) account = null;
      if (record.line > 0 && (section.kind === 'transactions' || section.kind === 'investments')) {
        throw missingEnd(source, `the transaction of line ${record.line}`);
      }
      section = readHeader(line) ?? section;
      record = new OpenQifRecord();
    } else if (!line.startsWith('^')) {
      record.add(line, lineNumber);
    } else {
      if (section.kind === 'account') account = record.toAccount();
      else if (section.kind !== 'list' && record.line > 0) {
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
  // Without the end mark, the file may be cut off, even in the middle of an amount.
  if (record.line === 0 || section.kind === 'list') return;
  throw missingEnd(source, 'its last transaction');
}

function missingEnd(source: StatementSource, transaction: string): StatementError {
  return new StatementError(
    `${source.name} has no end mark (^) after ${transaction}, so rows may be missing.`,
    'Export the statement again.',
  );
}

interface Section {
  readonly kind: 'transactions' | 'investments' | 'account' | 'list';
  readonly type: StatementAccount['type'];
}

/** Returns the section that a line with `!` begins; undefined for an option, which begins no section. */
function readHeader(line: string): Section | undefined {
  if (/^!Account/i.test(line)) return { kind: 'account', type: null };
  const name = /^!Type:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'invst') return { kind: 'investments', type: 'investment' };
  const type = accountTypes[name];
  return type === undefined ? { kind: 'list', type: null } : { kind: 'transactions', type };
}

const accountTypes: Readonly<Record<string, StatementAccount['type']>> = {
  bank: 'checking',
  ccard: 'credit_card',
  cash: 'cash',
  'oth a': 'other',
  'oth l': 'loan',
};

/** Sections without transactions. */
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
  /** 0 before its first line. */
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
