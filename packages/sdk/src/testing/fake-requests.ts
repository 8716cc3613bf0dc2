import { amountPattern, fitsCurrency, type Issue, isCalendarDate, isZeroAmount } from '@centavo/contracts/calls';
import { invalid } from './fake-refusal.js';

/** The fields of a request body, with values of unknown types. */
export type Body = Readonly<Record<string, unknown>>;

/** The names of the required and optional fields of a body. */
export interface BodyFields {
  readonly required: readonly string[];
  readonly others: readonly string[];
}

/**
 * Parses the body of a request. The body must be one JSON object that has all required fields, no unknown fields and only valid values.
 * @throws VALIDATION_ERROR with all issues
 */
export function parseBody(text: string, fields: BodyFields): Body {
  const body = parseObject(text);
  const known = new Set([...fields.required, ...fields.others]);
  const unknown = Object.keys(body).filter((name) => !known.has(name));
  const missing = fields.required.filter((name) => body[name] === undefined || body[name] === null);
  const issues: Issue[] = [
    ...unknown.map((path) => ({ path, code: 'UNKNOWN_FIELD' as const, message: 'Leave this field out.' })),
    ...missing.map((path) => ({ path, code: 'REQUIRED' as const, message: 'Send this field.' })),
  ];
  if (typeof body.amountDecimal === 'string') issues.push(...amountIssues(body.amountDecimal));
  const mistyped = Object.keys(body).filter((name) => known.has(name) && !isTextOrNothing(body[name]));
  issues.push(...mistyped.map((path) => ({ path, code: 'INVALID_FORMAT' as const, message: 'Send a string.' })));
  if (typeof body.type === 'string' && body.type !== 'expense' && body.type !== 'income') {
    issues.push({ path: 'type', code: 'INVALID_FORMAT', message: 'Send "expense" or "income".' });
  }
  if (typeof body.occurredOn === 'string' && !isCalendarDate(body.occurredOn)) {
    issues.push({ path: 'occurredOn', code: 'INVALID_FORMAT', message: 'Send a real calendar date as YYYY-MM-DD.' });
  }
  if (issues.length > 0) throw invalid(...issues);
  return body;
}

function parseObject(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  throw invalid({ path: '', code: 'MALFORMED_JSON', message: 'Send one JSON object.' });
}

function isTextOrNothing(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function amountIssues(text: string): readonly Issue[] {
  const path = 'amountDecimal';
  if (!amountPattern.test(text)) return [{ path, code: 'INVALID_FORMAT', message: 'Send a decimal string.' }];
  return isZeroAmount(text) ? [{ path, code: 'OUT_OF_RANGE', message: 'Send an amount greater than zero.' }] : [];
}

/**
 * Checks that the amount of a body has no more decimal places than the currency, and that the body names no other currency.
 * @throws VALIDATION_ERROR with the issue AMOUNT_PRECISION or CURRENCY_MISMATCH
 */
export function requireMoneyOf(currencyCode: string, body: Body): void {
  if (typeof body.amountDecimal === 'string' && !fitsCurrency(body.amountDecimal, currencyCode)) {
    throw invalid({
      path: 'amountDecimal',
      code: 'AMOUNT_PRECISION',
      message: `Send no more decimal places than ${currencyCode} has.`,
    });
  }
  if (typeof body.currencyCode === 'string' && body.currencyCode !== currencyCode) {
    throw invalid({ path: 'currencyCode', code: 'CURRENCY_MISMATCH', message: `The account is in ${currencyCode}.` });
  }
}

/** Returns the trimmed value of a field; null if the field is absent, null, blank or not a string. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
