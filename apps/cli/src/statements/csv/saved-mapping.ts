import { createHash } from 'node:crypto';
import type { StatementDirection } from '../statement-row.js';
import { type CsvColumnName, type CsvColumns, canonicalHeader } from './csv-columns.js';
import type { CsvPlan, CsvWishes } from './csv-plan.js';
import { isWithoutSigns } from './decide-direction.js';
import { canonicalStatus } from './status-words.js';

/** How files with certain headers are read, once a person has confirmed it. */
export interface SavedMapping {
  readonly headers: readonly string[];
  readonly columns: CsvColumns;
  readonly dateFormat: string;
  readonly decimalSeparator: '.' | ',';
  readonly expenseWords: readonly string[];
  readonly incomeWords: readonly string[];
  /** Words of the status column that a person has called final. */
  readonly finalStatuses?: readonly string[];
  /** What is known of the signs, for each account by itself: another bank's files may have the same headers. */
  readonly signs?: Readonly<Record<string, SavedSigns>>;
  /** The column of the categories was confirmed as it was guessed, and categories that the tracker lacks were left out. */
  readonly guessedCategory?: boolean;
}

/** What the signs in the files of one account mean. */
export interface SavedSigns {
  /** Amounts without a sign are expenses. */
  readonly allExpenses?: boolean;
  readonly minusMeans?: StatementDirection;
}

/** Where mappings are kept; the profile's directory in life, a `Map` in tests. */
export interface MappingShelf {
  /** The text saved under a fingerprint, or undefined. */
  find(fingerprint: string): Promise<string | undefined>;
  save(fingerprint: string, text: string): Promise<void>;
}

/** What files of the same bank and kind share: a hash of their headers, whatever their case and spacing. */
export function headerFingerprint(headers: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(headers.map(canonicalHeader)))
    .digest('hex')
    .slice(0, 32);
}

/** The mapping that a plan amounts to, for the next file with these headers. */
export function toSavedMapping(
  plan: CsvPlan,
  wishes: Pick<CsvWishes, 'account' | 'expenseWords' | 'incomeWords' | 'allExpenses' | 'minusMeans'> & {
    guessedCategory: boolean;
    before: SavedMapping | undefined;
  },
): SavedMapping {
  // Whoever keeps a reading has been shown the unknown words, and that they are taken for final.
  const finalStatuses = [...plan.finalStatuses, ...plan.unknownStatuses.map(canonicalStatus)];
  return {
    headers: plan.headers,
    columns: plan.columns,
    dateFormat: plan.dateFormat,
    decimalSeparator: plan.decimalSeparator,
    expenseWords: wishes.expenseWords,
    incomeWords: wishes.incomeWords,
    ...(finalStatuses.length > 0 && { finalStatuses }),
    signs: { ...keptSigns(plan, wishes.before), [accountKey(wishes)]: toSavedSigns(plan, wishes) },
    ...(wishes.guessedCategory && { guessedCategory: true }),
  };
}

function toSavedSigns(plan: CsvPlan, wishes: Pick<CsvWishes, 'allExpenses'>): SavedSigns {
  const { columns, marks } = plan;
  const isSigned = columns.amount !== undefined && columns.direction === undefined && marks.amount.minus > 0;
  const minusMeans = plan.minusMeans ?? (isSigned ? 'expense' : undefined);
  const allExpenses = wishes.allExpenses === true || isWithoutSigns(plan);
  return { ...(allExpenses && { allExpenses }), ...(minusMeans !== undefined && { minusMeans }) };
}

/** The signs of other accounts, unless they were told of another column. */
function keptSigns(plan: CsvPlan, before: SavedMapping | undefined): SavedMapping['signs'] {
  const [now, then] = [plan.columns.amount ?? '', before?.columns.amount ?? ''].map(canonicalHeader);
  return now === then ? before?.signs : {};
}

/** An account as a flag names it, for what is remembered of each by itself. */
export function accountKey({ account }: Pick<CsvWishes, 'account'>): string {
  return (account ?? '').trim().toLowerCase();
}

/** What remains of a saved mapping beside flags; the formats are second to what the file itself says. */
export interface RememberedReading {
  readonly columns: Partial<CsvColumns>;
  readonly dateFormat: string | undefined;
  readonly decimalSeparator: '.' | ',' | undefined;
  readonly expenseWords: readonly string[];
  readonly incomeWords: readonly string[];
  readonly finalStatuses: readonly string[];
  readonly allExpenses: boolean;
  readonly minusMeans: StatementDirection | undefined;
  /** The files of another account turn the usual signs around, and of this account nothing is known. */
  readonly hasStrangeSigns: boolean;
  readonly guessedCategory: boolean;
}

/**
 * A saved mapping beside flags. Flags win one by one, and take with them what was saved for what they contradict:
 * another date format or amount column makes the saved decimal separator doubtful, another date column the saved date
 * format, and one kind of amount column excludes the other.
 */
export function besideFlags(saved: SavedMapping, wishes: CsvWishes): RememberedReading {
  const flags = wishes.columns;
  const excluded = new Set<CsvColumnName>();
  if (flags.amount !== undefined) excluded.add('debit').add('credit');
  if (flags.debit !== undefined || flags.credit !== undefined) excluded.add('amount').add('direction');
  if (wishes.hasOneAccount) excluded.add('account');
  const kept = Object.entries(saved.columns).filter(([name]) => !excluded.has(name as CsvColumnName));
  const isOther = (name: CsvColumnName) =>
    flags[name] !== undefined && canonicalHeader(flags[name]) !== canonicalHeader(saved.columns[name] ?? '');
  const isOtherFormat = wishes.dateFormat !== undefined && wishes.dateFormat !== saved.dateFormat;
  const isOtherAmount = isOther('amount') || isOther('debit') || isOther('credit');
  const own = isOtherAmount ? undefined : saved.signs?.[accountKey(wishes)];
  const isUnusual = ({ allExpenses, minusMeans }: SavedSigns) => allExpenses === true || minusMeans === 'income';
  const saysSigns = wishes.allExpenses === true || wishes.minusMeans !== undefined;
  return {
    columns: { ...Object.fromEntries(kept), ...flags },
    dateFormat: isOther('date') ? undefined : saved.dateFormat,
    decimalSeparator: isOtherFormat || isOtherAmount ? undefined : saved.decimalSeparator,
    expenseWords: wishes.expenseWords.length > 0 ? wishes.expenseWords : saved.expenseWords,
    incomeWords: wishes.incomeWords.length > 0 ? wishes.incomeWords : saved.incomeWords,
    finalStatuses: [...(isOther('status') ? [] : (saved.finalStatuses ?? [])), ...(wishes.finalStatuses ?? [])],
    // Confirmed for the amounts of that column, and for no other one.
    allExpenses: wishes.allExpenses ?? (!saysSigns && own?.allExpenses === true),
    minusMeans: saysSigns ? wishes.minusMeans : own?.minusMeans,
    hasStrangeSigns: !saysSigns && own === undefined && Object.values(saved.signs ?? {}).some(isUnusual),
    guessedCategory: saved.guessedCategory === true && flags.category === undefined,
  };
}

/** A mapping from its file. Undefined when it is damaged or of another shape: the columns are then asked for again. */
export function parseSavedMapping(text: string): SavedMapping | undefined {
  const value = parseJson(text) as Partial<SavedMapping> | undefined;
  const isText = (part: unknown): part is string => typeof part === 'string';
  const isTexts = (part: unknown): part is string[] => Array.isArray(part) && part.every(isText);
  if (value === undefined || !isTexts(value.headers) || !isTexts(value.expenseWords)) return undefined;
  if (!isTexts(value.incomeWords) || !isText(value.dateFormat)) return undefined;
  if (value.decimalSeparator !== '.' && value.decimalSeparator !== ',') return undefined;
  if (value.finalStatuses !== undefined && !isTexts(value.finalStatuses)) return undefined;
  if (!areSigns(value.signs ?? {})) return undefined;
  const columns = (value.columns ?? {}) as Partial<Record<CsvColumnName, unknown>>;
  if (!Object.values(columns).every(isText) || !isText(columns.date)) return undefined;
  return value as SavedMapping;
}

function areSigns(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (signs: SavedSigns | null) => signs !== null && [undefined, 'expense', 'income'].includes(signs.minusMeans),
  );
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
