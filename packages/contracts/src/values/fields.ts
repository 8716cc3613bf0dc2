import * as z from 'zod';
import type { IssueCode } from '../error-codes.js';
import { amountPattern, decimalsOf, isZeroAmount, signedAmountPattern } from './amount-decimal.js';
import { earliestDate, isCalendarDate } from './calendar-date.js';
import { currencyCodes, currencyExponentMax } from './currency.js';
import { refusedFormatCharacters } from './format-characters.js';
import { categoryIdPattern, uuidPattern } from './ids.js';
import { descriptionLengthMax, externalIdLengthMax, merchantNameLengthMax, nameLengthMax } from './limits.js';

/** The part of a zod check's context that {@link refuse} uses. */
type IssueContext = { addIssue(issue: { code: 'custom'; message: string; params: { code: IssueCode } }): void };

/** Adds an issue to the context of a zod check. The issue has one of the contract's issue codes. */
export function refuse(context: IssueContext, code: IssueCode, message: string): void {
  context.addIssue({ code: 'custom', message, params: { code } });
}

/** A UUID in a request, converted to lower case, so that its letter case does not change the fingerprint of the request. */
export const uuidField = z
  .string()
  .regex(uuidPattern, 'Send a UUID.')
  // The same as `uuidPattern`, but without a flag, because patterns in JSON Schema have no flags.
  .meta({
    format: 'uuid',
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
  })
  .transform((text) => text.toLowerCase());

/** An opaque category id. The schema checks only its characters: an unknown id results in 404 or an empty list. */
export const categoryIdField = z.string().regex(categoryIdPattern, 'Send a category id that GET /categories returns.');

// The forbidden characters. PostgreSQL rejects the control character NUL, and terminals interpret the other control characters.
// Format characters make different texts look equal.
const forbidden = {
  oneLine: new RegExp(`\\p{Cc}|${refusedFormatCharacters.source}`, 'u'),
  multiline: new RegExp(`(?![\\n\\t])\\p{Cc}|${refusedFormatCharacters.source}`, 'u'),
  // Unicode's property "default ignorable" includes invisible characters that are not format characters, such as U+3164.
  email: /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u,
};

/**
 * Rejects control characters, format characters and lone surrogates. The message names the first control or format character. Returns
 * true if the text has none of them.
 * @param rule.kind the kind of text. `multiline` allows newline and tab, `oneLine` and `email` do not. `email` also forbids zero-width
 *   joiners and other invisible characters.
 * @source docs/contract.md, sections 1 and 10a
 */
export function refuseForbiddenCharacters(
  text: string,
  rule: { readonly context: IssueContext; readonly field: string; readonly kind: keyof typeof forbidden },
): boolean {
  const { context, field, kind } = rule;
  const isWellFormed = text.isWellFormed();
  if (!isWellFormed) refuse(context, 'INVALID_FORMAT', `Remove lone surrogates from ${field}.`);
  const [found] = forbidden[kind].exec(text) ?? [];
  const hex = found?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  if (hex !== undefined) {
    const reason = 'control and format characters are not allowed there';
    refuse(context, 'INVALID_FORMAT', `Remove U+${hex} from ${field}: ${reason}.`);
  }
  return isWellFormed && hex === undefined;
}

// The format characters of Unicode's Basic Multilingual Plane, except for the zero-width joiner and non-joiner. The characters are
// listed because not every JSON Schema validator supports the class `\p{Cf}`.
const formatRanges =
  '\\u00AD\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u2064\\u2066-\\u206F\\uFEFF\\uFFF9-\\uFFFB';

function textField(options: { field: string; lengthMax: number; multiline: boolean }) {
  const { field, lengthMax, multiline } = options;
  const controlRanges = multiline ? '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F' : '\\u0000-\\u001F\\u007F-\\u009F';
  return z
    .string()
    .meta({ maxLength: lengthMax, pattern: `^[^${controlRanges}${formatRanges}]*$` })
    .transform((text, context) => {
      const trimmed = text.trim();
      refuseForbiddenCharacters(trimmed, { context, field, kind: multiline ? 'multiline' : 'oneLine' });
      if ([...trimmed].length > lengthMax) {
        refuse(context, 'TOO_LONG', `Send at most ${lengthMax} characters.`);
      }
      return trimmed;
    });
}

/** A name on one line, trimmed and not empty. */
export const nameField = textField({ field: 'name', lengthMax: nameLengthMax, multiline: false })
  .transform((text, context) => {
    if (text === '') refuse(context, 'REQUIRED', 'Send a name that is not empty.');
    return text;
  })
  .meta({ minLength: 1 });

/** Returns the schema of an optional string, which is trimmed. An empty string becomes `null`. Lengths are in Unicode code points. */
export function optionalText(options: { field: string; lengthMax: number; multiline: boolean }) {
  return textField(options)
    .transform((text) => (text === '' ? null : text))
    .nullish();
}

export const descriptionField = optionalText({
  field: 'description',
  lengthMax: descriptionLengthMax,
  multiline: true,
});
export const merchantNameField = optionalText({
  field: 'merchantName',
  lengthMax: merchantNameLengthMax,
  multiline: false,
});

const externalIdText = { field: 'externalId', lengthMax: externalIdLengthMax, multiline: false };

/** The id of a movement in another system, such as a bank. Case-sensitive. */
export const externalIdField = optionalText(externalIdText);

/** The value of a filter by `externalId`. It must not be empty. */
export const externalIdFilterField = textField(externalIdText)
  .transform((text, context) => {
    if (text === '') refuse(context, 'INVALID_FORMAT', 'Send an external id that is not empty.');
    return text;
  })
  .meta({ minLength: 1 });

// The pattern of amounts in JSON Schema. It allows up to four decimal places, the most that any currency has. The server checks
// the number of decimal places against the currency.
const unsignedAmount = `(0|[1-9]\\d{0,14})(\\.\\d{1,${currencyExponentMax}})?`;

/** A positive decimal string. The server checks the number of decimal places after it has read the currency of the account. */
export const amountField = z
  .string()
  .meta({
    pattern: `^(?!0(\\.0+)?$)${unsignedAmount}$`,
    description:
      'A decimal string in major units (euros, not cents), greater than zero, with at most the decimal places of its currency.',
    examples: ['12.50'],
  })
  .check((check) => checkAmount(check, { pattern: amountPattern, zeroAllowed: false }));

/** A planned amount: like {@link amountField}, but zero is allowed. */
export const plannedAmountField = z
  .string()
  .meta({
    pattern: `^${unsignedAmount}$`,
    description:
      'A decimal string in major units (euros, not cents), zero or more, with at most the decimal places of its currency.',
    examples: ['250.00'],
  })
  .check((check) => checkAmount(check, { pattern: amountPattern, zeroAllowed: true }));

/** An opening balance: a decimal string with an optional minus sign. */
export const signedAmountField = z
  .string()
  .meta({
    pattern: `^-?${unsignedAmount}$`,
    description:
      'A decimal string in major units (euros, not cents), which may be negative, with at most the decimal places of its currency.',
    examples: ['-80.00'],
  })
  .check((check) => checkAmount(check, { pattern: signedAmountPattern, zeroAllowed: true }));

function checkAmount(check: z.core.ParsePayload<string>, rule: { pattern: RegExp; zeroAllowed: boolean }): void {
  const fail = (code: IssueCode, message: string) =>
    check.issues.push({ code: 'custom', input: check.value, message, params: { code } });
  if (!rule.pattern.test(check.value)) {
    fail(
      'INVALID_FORMAT',
      'Send a decimal string in major units (euros, not cents), such as "12.50": at most 15 digits before the point.',
    );
  } else if (decimalsOf(check.value) > currencyExponentMax) {
    fail('AMOUNT_PRECISION', 'Send no more decimal places than the currency has; amounts are never rounded.');
  } else if (!rule.zeroAllowed && isZeroAmount(check.value)) {
    fail('OUT_OF_RANGE', 'Send an amount greater than zero.');
  }
}

/** An ISO 4217 code in upper case. */
export const currencyField = z
  .string()
  .meta({ pattern: `^(${[...currencyCodes].join('|')})$`, description: 'An active ISO 4217 code.', examples: ['EUR'] })
  .check((check) => {
    const fail = (code: IssueCode, message: string) =>
      check.issues.push({ code: 'custom', input: check.value, message, params: { code } });
    if (!/^[A-Z]{3}$/.test(check.value)) fail('INVALID_FORMAT', 'Send an ISO 4217 code in upper case, such as "EUR".');
    else if (!currencyCodes.has(check.value)) fail('UNKNOWN_CURRENCY', 'Send the code of an active ISO 4217 currency.');
  });

/** A real calendar date `YYYY-MM-DD` from 1900-01-01 on. */
export const dateField = z
  .string()
  .meta({
    format: 'date',
    pattern: '^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}$',
    description: `A calendar date from ${earliestDate} on.`,
    examples: ['2026-06-28'],
  })
  .check((check) => {
    const fail = (code: IssueCode, message: string) =>
      check.issues.push({ code: 'custom', input: check.value, message, params: { code } });
    if (!isCalendarDate(check.value)) fail('INVALID_FORMAT', 'Send a real calendar date as YYYY-MM-DD.');
    else if (check.value < earliestDate) fail('OUT_OF_RANGE', `Send a date from ${earliestDate} on.`);
  });

/**
 * Returns the schema of an optional field of a request. `null` means the same as an absent field.
 * @source docs/contract.md, section 10a
 */
export function absentIfNull<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/**
 * Returns the schema of a whole number in a query.
 * @param range.otherwise the default that the OpenAPI document shows. The schema does not replace an absent value with it.
 */
export function wholeNumber(range: { min: number; max: number; otherwise?: number }) {
  const schema = { type: 'integer', minimum: range.min, maximum: range.max } as const;
  return z
    .string()
    .meta(range.otherwise === undefined ? schema : { ...schema, default: range.otherwise })
    .transform((text, context) => {
      const value = Number(text);
      if (!/^-?\d+$/.test(text)) refuse(context, 'INVALID_FORMAT', 'Send a whole number.');
      else if (value < range.min || value > range.max) {
        refuse(context, 'OUT_OF_RANGE', `Send a number from ${range.min} to ${range.max}.`);
      }
      return value;
    });
}

/** A time in a record: RFC 3339, UTC, with milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

/** An amount in a record. */
export const amount = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ examples: ['12.50'] });
export const signedAmount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ examples: ['-80.00'] });
export const calendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date' });
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ examples: ['EUR'] });

/**
 * Returns the schema with a rule that compares fields. The issue of the rule is reported together with the issues of the fields.
 * @param rule.holds returns false if the issue is to be reported. It receives the object with the parsed fields, in which absent and
 *   rejected fields may be undefined.
 */
export function crossCheck<Schema extends z.ZodType>(
  schema: Schema,
  rule: {
    code: IssueCode;
    message: string;
    path?: string[];
    holds: (value: Partial<z.output<Schema>>) => boolean;
  },
): Schema {
  return schema.refine((value) => rule.holds(value as Partial<z.output<Schema>>), {
    message: rule.message,
    path: rule.path ?? [],
    params: { code: rule.code },
    when: (payload) => typeof payload.value === 'object' && payload.value !== null,
  }) as Schema;
}

/**
 * Returns whether `from` is not after `to`. Returns true if one of them is not a date, because the schema of that field then
 * reports an issue.
 */
export function areInOrder(from: unknown, to: unknown): boolean {
  const isDate = (value: unknown): value is string => typeof value === 'string' && isCalendarDate(value);
  return !isDate(from) || !isDate(to) || from <= to;
}
