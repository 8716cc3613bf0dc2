import {
  headerNames,
  type Issue,
  type IssueCode,
  idempotencyKeyLengthMax,
  idempotencyKeyPattern,
  isCategoryId,
  isUuid,
  logPositionPattern,
  type RouteContract,
  takesReadAfter,
} from '@centavo/contracts';
import type * as z from 'zod';
import { ApiError, notFound, validationError } from '../api-error.js';
import { type Incoming, parseIfMatch, parseJson } from './request.js';

/** A request that its route's schemas accept. */
export interface ValidRequest {
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  readonly ifMatch: readonly string[];
  /** What a replica must have seen to answer; null where only the primary may. */
  readonly readAfter: string | null;
}

/** Either a valid request or the refusal, to be thrown once the caller is known to have the right to hear it. */
export type Validation =
  | { readonly ok: true; readonly request: ValidRequest }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Checks media type, body, query and required headers against the route, all issues at once. It never throws: what is
 * wrong is told only after authentication, tracker and rights. Source: contract, section 5.
 */
export function validateRequest(request: {
  readonly route: RouteContract;
  readonly incoming: Incoming;
  readonly pathParameters: Readonly<Record<string, string>>;
}): Validation {
  const { route, incoming } = request;
  const issues: Issue[] = [];
  const query = validateQuery(route, incoming.rawQuery, issues);
  let body: unknown;
  if (takesBody(route)) {
    const mediaTypeError = findMediaTypeError(route, incoming);
    if (mediaTypeError !== undefined) return { ok: false, error: mediaTypeError };
    body = validateBody(route, incoming.body, issues);
  }
  const idempotencyKey = validateIdempotencyKey(route, incoming.idempotencyKey, issues);
  const ifMatch = validateIfMatch(route, incoming.ifMatch, issues);
  const readAfter = validateReadAfter(route, incoming.readAfter, issues);
  if (issues.length > 0) return { ok: false, error: validationError(issues) };
  if (!pathIsWellFormed(request.pathParameters)) return { ok: false, error: notFound() };
  return { ok: true, request: { query, body, idempotencyKey, ifMatch, readAfter } };
}

/** Returns the valid request. @throws the validation errors */
export function requireValid(validation: Validation): ValidRequest {
  if (!validation.ok) throw validation.error;
  return validation.request;
}

function takesBody(route: RouteContract): boolean {
  return route.call.method !== 'GET' && route.call.method !== 'DELETE';
}

/** Category ids are opaque; every other id is a UUID, and a malformed one is like one that never existed. */
function pathIsWellFormed(parameters: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, value]) =>
    name === 'categoryId' ? isCategoryId(value) : isUuid(value),
  );
}

function findMediaTypeError(route: RouteContract, incoming: Incoming): ApiError | undefined {
  const mayBeEmpty = route.body === null || route.bodyOptional;
  // No bytes have no type; that a body is missing is told as what is wrong with it.
  if (incoming.body.length === 0 && (mayBeEmpty || incoming.contentType === undefined)) return undefined;
  const encoding = incoming.contentEncoding?.trim().toLowerCase() ?? 'identity';
  const [type, ...parameters] = (incoming.contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const parametersAreFine = parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter) || parameter === '');
  if (encoding === 'identity' && type === 'application/json' && parametersAreFine) return undefined;
  return new ApiError({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
  });
}

function validateBody(route: RouteContract, bytes: Buffer, issues: Issue[]): unknown {
  const mayBeEmpty = route.body === null || route.bodyOptional;
  const parsed = mayBeEmpty && bytes.length === 0 ? ({ ok: true, value: {} } as const) : parseJson(bytes);
  if (!parsed.ok) {
    issues.push(parsed.issue);
    return undefined;
  }
  if (route.body === null) {
    for (const key of Object.keys(parsed.value)) {
      issues.push({ path: key, code: 'UNKNOWN_FIELD', message: 'This call takes no body.' });
    }
    return undefined;
  }
  const result = route.body.safeParse(parsed.value, { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, ''));
  return result.data;
}

function validateQuery(route: RouteContract, rawQuery: string, issues: Issue[]): unknown {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const path = `query.${name}`;
    if (values.has(name)) {
      issues.push({ path, code: 'REPEATED_PARAMETER', message: 'Send this parameter once.' });
    } else if (route.query === null) {
      issues.push({ path, code: 'UNKNOWN_FIELD', message: 'This call takes no query parameters.' });
    }
    values.set(name, value);
  }
  if (route.query === null) return undefined;
  // Unlike an assignment, fromEntries makes `__proto__` a field like any other, so that it is refused as unknown.
  const result = route.query.safeParse(Object.fromEntries(values), { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, 'query.'));
  return result.data;
}

function validateIdempotencyKey(route: RouteContract, key: string | undefined, issues: Issue[]): string | null {
  if (route.call.idempotency === 'ignored') return null;
  const path = `header.${headerNames.idempotencyKey}`;
  if (key === undefined) {
    if (route.call.idempotency === 'required') {
      issues.push({
        path,
        code: 'IDEMPOTENCY_KEY_REQUIRED',
        message: 'Send an Idempotency-Key of your choice, the same on every try of this one intent.',
      });
    }
    return null;
  }
  if (key.length > idempotencyKeyLengthMax) {
    issues.push({ path, code: 'TOO_LONG', message: `Send at most ${idempotencyKeyLengthMax} characters.` });
  } else if (!idempotencyKeyPattern.test(key)) {
    issues.push({ path, code: 'INVALID_FORMAT', message: 'Send 1–200 printable ASCII characters.' });
  }
  return key;
}

function validateIfMatch(route: RouteContract, header: string | undefined, issues: Issue[]): readonly string[] {
  if (route.call.ifMatch === 'ignored') return [];
  const path = `header.${headerNames.ifMatch}`;
  if (header === undefined) {
    issues.push({ path, code: 'IF_MATCH_REQUIRED', message: 'Fetch the record and send its ETag as If-Match.' });
    return [];
  }
  const tags = parseIfMatch(header);
  if (tags === undefined) {
    issues.push({
      path,
      code: 'INVALID_FORMAT',
      message: 'Send the strong ETag exactly as it was received, quotes included.',
    });
  }
  return tags ?? [];
}

function validateReadAfter(route: RouteContract, header: string | undefined, issues: Issue[]): string | null {
  if (header === undefined || !takesReadAfter(route.call)) return null;
  if (logPositionPattern.test(header)) return header;
  const message = 'Send it as a write told it, or 0/0 where anything will do.';
  issues.push({ path: `header.${headerNames.readAfter}`, code: 'INVALID_FORMAT', message });
  return null;
}

/**
 * Translates a schema's findings into the contract's issues, all at once.
 * @param prefix what the path starts with: `query.` or nothing for the body
 */
export function toIssues(error: z.ZodError, prefix: '' | 'query.'): Issue[] {
  return error.issues.flatMap((finding) => {
    const path = prefix + finding.path.map(String).join('.');
    if (finding.code === 'unrecognized_keys') {
      return finding.keys.map((key) => ({
        path: path === '' || path.endsWith('.') ? path + key : `${path}.${key}`,
        code: 'UNKNOWN_FIELD' as const,
        message: 'This field is not known here; check its spelling or leave it out.',
      }));
    }
    const code = codeOf(finding);
    return [{ path, code, message: messageOf(finding, code) }];
  });
}

function codeOf(finding: z.core.$ZodIssue): IssueCode {
  if (finding.code === 'custom') {
    return ((finding as { params?: { code?: IssueCode } }).params?.code ?? 'INVALID_FORMAT') as IssueCode;
  }
  if ((finding.code === 'invalid_type' || finding.code === 'invalid_value') && finding.input === undefined) {
    return 'REQUIRED';
  }
  if (finding.code === 'too_big') return finding.origin === 'string' ? 'TOO_LONG' : 'OUT_OF_RANGE';
  if (finding.code === 'too_small') return 'REQUIRED';
  return 'INVALID_FORMAT';
}

function messageOf(finding: z.core.$ZodIssue, code: IssueCode): string {
  // zod's own sentences are for those who write schemas; only what a schema of ours says goes out as it is.
  if (finding.code === 'too_big') return `Send at most ${count(finding.maximum, finding.origin)}.`;
  if (finding.code === 'too_small') return `Send at least ${count(finding.minimum, finding.origin)}.`;
  if (code === 'REQUIRED' && finding.code !== 'custom') return 'This field is required.';
  if (finding.code === 'invalid_value') return `Send one of: ${finding.values.map(String).join(', ')}.`;
  if (finding.code === 'invalid_type') return `Send a JSON ${finding.expected}.`;
  return finding.message;
}

/** Requests bound texts and lists only; numbers come as texts. */
function count(bound: number | bigint, origin: string): string {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  return `${bound} ${Number(bound) === 1 ? one : many}`;
}
