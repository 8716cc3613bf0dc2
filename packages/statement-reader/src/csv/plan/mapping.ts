import { createHash } from 'node:crypto';
import type { CsvOptions } from '../../options.js';
import type { StatementDirection } from '../../statement.js';
import { isWithoutSigns } from '../signs/sign-convention.js';
import { canonicalStatus } from '../table/cells.js';
import {
  type CsvColumnName,
  type CsvColumns,
  canonicalHeader,
  type IdentityColumns,
  nameColumns,
  pickIdentity,
} from '../table/columns.js';
import type { CsvPlan } from './plan.js';

/**
 * The columns, formats and sign conventions that the user confirmed for files whose headers are `headers`. The mapping is saved as JSON,
 * so later versions of this package must still support its field names and values.
 */
export interface SavedMapping {
  readonly headers: readonly string[];
  readonly columns: CsvColumns;
  readonly dateFormat: string;
  readonly decimalSeparator: '.' | ',';
  readonly expenseWords: readonly string[];
  readonly incomeWords: readonly string[];
  /** Statuses that the user declared final. */
  readonly finalStatuses?: readonly string[];
  /** Statuses whose rows the user skips. */
  readonly skippedStatuses?: readonly string[];
  /** The sign convention of each account. Files of two banks may have the same headers, but different sign conventions. */
  readonly signs?: Readonly<Record<string, SavedSigns>>;
  /**
   * Whether the category column was guessed, and not named by an option. A row with a guessed category may be recorded without it, if the
   * tracker does not have this category.
   */
  readonly guessedCategory?: boolean;
}

/** The sign convention of the files of one account. */
export interface SavedSigns {
  /** Whether amounts without a sign are expenses. */
  readonly allExpenses?: boolean;
  /** Whether amounts without a minus are incomes. */
  readonly allIncomes?: boolean;
  readonly minusMeans?: StatementDirection;
}

/**
 * Returns a hash of the headers, ignoring their case and spacing. So two exports of the same kind from one bank, for example of two
 * months, have the same hash.
 */
export function headerFingerprint(headers: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(headers.map(canonicalHeader)))
    .digest('hex')
    .slice(0, 32);
}

/** Converts a plan to the mapping that is saved for the next file with the same headers. */
export function toSavedMapping(
  plan: CsvPlan,
  options: Pick<CsvOptions, 'account' | 'columns' | 'expenseWords' | 'incomeWords' | 'allExpenses' | 'allIncomes'> & {
    guessedCategory: boolean;
    /** Statuses whose meaning is unknown. */
    unknownStatuses: readonly string[];
    before: SavedMapping | undefined;
  },
): SavedMapping {
  const { formats } = plan;
  // Unknown statuses are saved as final, because the user confirmed a summary in which they are "counted as booked".
  const { final, skipped } = formats.declaredStatuses;
  const finalStatuses = [...final, ...options.unknownStatuses.map(canonicalStatus)];
  return {
    headers: plan.dialect.headers,
    // An empty currency column is an answer of the user: all amounts are in the currency of the account.
    columns: { ...plan.columns.roles, ...(options.columns.currency === '' && { currency: '' }) },
    dateFormat: formats.dateFormat,
    decimalSeparator: formats.decimalSeparator,
    expenseWords: options.expenseWords,
    incomeWords: options.incomeWords,
    ...(finalStatuses.length > 0 && { finalStatuses }),
    ...(skipped.size > 0 && { skippedStatuses: [...skipped] }),
    signs: { ...keptSigns(plan, options.before), [accountKey(options)]: toSavedSigns(plan, options) },
    ...(options.guessedCategory && { guessedCategory: true }),
  };
}

function toSavedSigns(
  { columns: { roles }, signs }: CsvPlan,
  options: Pick<CsvOptions, 'allExpenses' | 'allIncomes'>,
): SavedSigns {
  const isSigned = roles.amount !== undefined && roles.direction === undefined && signs.signCounts.amount.minus > 0;
  const minusMeans = signs.minusMeans ?? (isSigned ? 'expense' : undefined);
  const isConfirmed = isWithoutSigns(roles, signs) && signs.balanceOrder === undefined;
  const allExpenses = options.allExpenses === true || isConfirmed;
  const allIncomes = options.allIncomes === true;
  return {
    ...(allExpenses && { allExpenses }),
    ...(allIncomes && { allIncomes }),
    ...(minusMeans !== undefined && { minusMeans }),
  };
}

/** Returns the saved sign conventions; an empty object if the amount column has changed. */
function keptSigns({ columns: { roles } }: CsvPlan, before: SavedMapping | undefined): SavedMapping['signs'] {
  const [current, previous] = [roles.amount ?? '', before?.columns.amount ?? ''].map(canonicalHeader);
  return current === previous ? before?.signs : {};
}

/** Returns the key of an account in {@link SavedMapping.signs}. */
export function accountKey({ account }: Pick<CsvOptions, 'account'>): string {
  return (account ?? '').trim().toLowerCase();
}

/** A saved mapping with the options merged into it. Its formats are used unless the file contradicts them. */
export interface EffectiveMapping {
  readonly columns: Partial<CsvColumns>;
  readonly dateFormat: string | undefined;
  readonly decimalSeparator: '.' | ',' | undefined;
  readonly expenseWords: readonly string[];
  readonly incomeWords: readonly string[];
  readonly finalStatuses: readonly string[];
  readonly skippedStatuses: readonly string[];
  readonly allExpenses: boolean;
  readonly allIncomes: boolean;
  readonly minusMeans: StatementDirection | undefined;
  /**
   * True if both conditions hold: the sign convention of this account is unknown, and the saved convention of another account is unusual.
   * A convention is unusual if a minus means income, or if the user set or confirmed one direction for all amounts without a sign.
   */
  readonly otherAccountReversesSigns: boolean;
  readonly guessedCategory: boolean;
}

/**
 * Returns a saved mapping merged with options. Each option overrides the saved value of the same setting, and discards the saved
 * settings that depend on this value. In this list, "another" means different from the saved one:
 *
 * - Another date format discards the decimal separator.
 * - Another amount, debit or credit column discards the decimal separator and the sign convention.
 * - Another date column discards the date format, and another status column discards the statuses.
 * - An option for the amount column discards the debit and credit columns.
 * - An option for the merchant column discards the column of payers.
 * - If all rows belong to one account (`hasOneAccount`), the saved account column is discarded.
 * - An option for the debit or the credit column discards the saved amount, direction, debit and credit columns.
 *
 * If sign conventions are saved, but none for the account of this file, the saved date format and decimal separator are also discarded.
 */
export function mergeMapping(saved: SavedMapping, options: CsvOptions): EffectiveMapping {
  const flags = options.columns;
  const excluded = new Set<CsvColumnName>();
  if (flags.amount !== undefined) excluded.add('debit').add('credit');
  if (flags.debit !== undefined || flags.credit !== undefined) {
    excluded.add('amount').add('direction').add('debit').add('credit');
  }
  if (flags.merchant !== undefined) excluded.add('payer');
  if (options.hasOneAccount) excluded.add('account');
  const kept = Object.entries(saved.columns).filter(([name]) => !excluded.has(name as CsvColumnName));
  const isOther = (name: CsvColumnName) =>
    flags[name] !== undefined && canonicalHeader(flags[name]) !== canonicalHeader(saved.columns[name] ?? '');
  const isOtherFormat = options.dateFormat !== undefined && options.dateFormat !== saved.dateFormat;
  const isOtherAmount = isOther('amount') || isOther('debit') || isOther('credit');
  // The user confirmed the saved sign convention only for the saved amount columns.
  const own = isOtherAmount ? undefined : saved.signs?.[accountKey(options)];
  const isUnusual = ({ allExpenses, allIncomes, minusMeans }: SavedSigns) =>
    allExpenses === true || allIncomes === true || minusMeans === 'income';
  // The user confirmed the formats for the files of one account. The bank of another account may swap day and month.
  const isOfOtherAccount = saved.signs !== undefined && !Object.hasOwn(saved.signs, accountKey(options));
  const hasSignOption = options.allExpenses === true || options.allIncomes === true || options.minusMeans !== undefined;
  return {
    columns: { ...Object.fromEntries(kept), ...flags },
    dateFormat: isOther('date') || isOfOtherAccount ? undefined : saved.dateFormat,
    decimalSeparator: isOtherFormat || isOtherAmount || isOfOtherAccount ? undefined : saved.decimalSeparator,
    expenseWords: options.expenseWords.length > 0 ? options.expenseWords : saved.expenseWords,
    incomeWords: options.incomeWords.length > 0 ? options.incomeWords : saved.incomeWords,
    ...mergeStatuses(isOther('status') ? {} : saved, options),
    allExpenses: options.allExpenses ?? (!hasSignOption && own?.allExpenses === true),
    allIncomes: options.allIncomes ?? (!hasSignOption && own?.allIncomes === true),
    minusMeans: hasSignOption ? options.minusMeans : own?.minusMeans,
    otherAccountReversesSigns: !hasSignOption && own === undefined && Object.values(saved.signs ?? {}).some(isUnusual),
    guessedCategory: saved.guessedCategory === true && flags.category === undefined,
  };
}

/** Merges the saved statuses with the statuses from the options. If a saved status is also in an option, only the option counts. */
function mergeStatuses(
  saved: Pick<SavedMapping, 'finalStatuses' | 'skippedStatuses'>,
  { finalStatuses = [], skippedStatuses = [] }: CsvOptions,
): Pick<EffectiveMapping, 'finalStatuses' | 'skippedStatuses'> {
  const named = new Set([...finalStatuses, ...skippedStatuses].map(canonicalStatus));
  const kept = (statuses: readonly string[] = []) => statuses.filter((status) => !named.has(status));
  return {
    finalStatuses: [...kept(saved.finalStatuses), ...finalStatuses],
    skippedStatuses: [...kept(saved.skippedStatuses), ...skippedStatuses],
  };
}

/** Parses a saved mapping. Returns undefined if it is not a valid mapping; the columns are then detected again. */
export function parseSavedMapping(text: string): SavedMapping | undefined {
  const value = parseJson(text) as Partial<SavedMapping> | undefined;
  const isText = (part: unknown): part is string => typeof part === 'string';
  const isTexts = (part: unknown): part is string[] => Array.isArray(part) && part.every(isText);
  if (value === undefined || !isTexts(value.headers) || !isTexts(value.expenseWords)) return undefined;
  if (!isTexts(value.incomeWords) || !isText(value.dateFormat)) return undefined;
  if (value.decimalSeparator !== '.' && value.decimalSeparator !== ',') return undefined;
  if (!isTexts(value.finalStatuses ?? []) || !isTexts(value.skippedStatuses ?? [])) return undefined;
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

/**
 * A kind of file. All files of a kind have the same identity columns: the columns whose cells identify a row. Files with the same
 * headers are of the same kind. Files without headers are of the same kind only if they are of the same account.
 */
export interface FileKind {
  readonly headers: readonly string[];
  readonly account?: string | undefined;
}

/**
 * Returns the identity columns that are saved in `text` for the files of `kind`. If `text` has no `identities`, selects the identity
 * columns from the columns of the saved mapping.
 *
 * @param text the text saved for the headers of `kind`; undefined if there is none
 * @returns undefined if nothing is saved, the text is damaged, or a saved column is not in the headers of `kind`
 */
export function findIdentity(text: string | undefined, kind: FileKind): IdentityColumns | undefined {
  const saved = parseObject(text);
  if (saved.identities !== undefined) return checkIdentity(parseMember(saved.identities)[identityKeyOf(kind)], kind);
  const mapping = text === undefined ? undefined : parseSavedMapping(text);
  return mapping === undefined ? undefined : checkIdentity(pickIdentity(mapping.columns), kind);
}

/** Returns the text to save in place of `text`: the new mapping, and the identity columns from `text`, see {@link findIdentity}. */
export function replaceMapping(text: string | undefined, { mapping, ...kind }: FileKind & { mapping: object }): string {
  const identity = findIdentity(text, kind);
  const known = parseMember(parseObject(text).identities);
  const identities = identity === undefined ? known : { ...known, [identityKeyOf(kind)]: identity };
  return JSON.stringify({ ...mapping, identities }, null, 2);
}

/** Returns the text to save in place of `text`: its content, with `columns` as the identity columns of the files of `kind`. */
export function withIdentity(
  text: string | undefined,
  { columns, ...kind }: FileKind & { columns: IdentityColumns },
): string {
  const saved = parseObject(text);
  const identities = { ...parseMember(saved.identities), [identityKeyOf(kind)]: columns };
  return JSON.stringify({ headers: kind.headers, ...saved, identities }, null, 2);
}

/**
 * Returns the key under which identity columns are saved. Files with the same headers share identity columns in all accounts, because a
 * bank writes all its files in the same way. Rows of different accounts still have different import keys, because these also contain the
 * account. Files without headers may be of any bank, so their identity columns are saved separately for each account.
 */
function identityKeyOf({ headers, account }: FileKind): string {
  return headers.every((header) => header.trim() === '') ? accountKey({ account }) : '';
}

function checkIdentity(value: unknown, { headers }: FileKind): IdentityColumns | undefined {
  const columns = parseMember(value);
  const known = new Set(nameColumns(headers).map(canonicalHeader));
  const isKnown = (header: unknown) => typeof header === 'string' && known.has(canonicalHeader(header));
  const isGood = columns.date !== undefined && Object.values(columns).every(isKnown);
  return isGood ? pickIdentity(columns as unknown as CsvColumns) : undefined;
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return parseMember(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

function parseMember(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
