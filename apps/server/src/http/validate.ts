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

/** A request that the schemas of its route accept. */
export interface ValidRequest {
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** The idempotency keys of the items of a bulk write; empty for other requests, or if the items have no keys of their own. */
  readonly itemKeys: readonly string[];
  /** True for a dry run: the write is executed and then rolled back. */
  readonly isDryRun: boolean;
  readonly ifMatch: readonly string[];
  /** The position in the write-ahead log that a replica must have replayed; null if only the primary may answer. */
  readonly readAfter: string | null;
}

/** Either a valid request, or the error to throw after the caller is authorized. `tokens`: the number of rate-limit tokens to consume. */
export type Validation = { readonly tokens: number } & (
  | { readonly ok: true; readonly request: ValidRequest }
  | { readonly ok: false; readonly error: ApiError }
);

interface RequestOfRoute {
  readonly route: RouteContract;
  readonly incoming: Incoming;
}

/**
 * Returns the valid request, or the first of these errors: the wrong media type (415), all issues of query, body and headers (400), a
 * malformed id in the path (404). Never throws, because validation errors are reported only after authentication and authorization.
 * @source docs/contract.md, section 5
 */
export function validateRequest(
  request: RequestOfRoute & { readonly pathParameters: Readonly<Record<string, string>> },
): Validation {
  const issues: Issue[] = [];
  const { query, isDryRun } = validateQuery(request, issues);
  let read: ReadBody = { sent: undefined, body: undefined };
  if (takesBody(request)) {
    const mediaTypeError = findMediaTypeError(request);
    if (mediaTypeError !== undefined) return { ok: false, error: mediaTypeError, tokens: 1 };
    read = validateBody(request, issues);
  }
  const { bulk } = request.route;
  const tokens = Math.max(1, Math.ceil((bulk?.countItems(read.sent) ?? 0) / itemsPerToken));
  const hasItemKeys = bulk?.hasItemKeys(read.sent) ?? false;
  const idempotencyKey = validateIdempotencyKey({ ...request, isDryRun, hasItemKeys }, issues);
  const ifMatch = validateIfMatch(request, issues);
  const readAfter = validateReadAfter(request, issues);
  if (issues.length > 0) return { ok: false, error: validationError(issues), tokens };
  if (!isPathWellFormed(request.pathParameters)) return { ok: false, error: notFound(), tokens };
  const { body } = read;
  const itemKeys = bulk?.itemKeysOf(body) ?? [];
  return { ok: true, request: { query, body, idempotencyKey, itemKeys, isDryRun, ifMatch, readAfter }, tokens };
}

/**
 * Returns the valid request.
 * @throws VALIDATION_ERROR (400), NOT_FOUND (404), UNSUPPORTED_MEDIA_TYPE (415)
 */
export function requireValid(validation: Validation): ValidRequest {
  if (!validation.ok) throw validation.error;
  return validation.request;
}

function takesBody({ route }: RequestOfRoute): boolean {
  return route.call.method !== 'GET' && route.call.method !== 'DELETE';
}

/** Returns whether all ids of the path are well-formed. Category ids are opaque; all others are UUIDs. A malformed id gets a 404. */
function isPathWellFormed(parameters: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, value]) =>
    name === 'categoryId' ? isCategoryId(value) : isUuid(value),
  );
}

function findMediaTypeError({ route, incoming }: RequestOfRoute): ApiError | undefined {
  const mayBeEmpty = route.body === null || route.bodyOptional;
  // An empty body needs no media type. If the route requires a body, `validateBody` reports that the body is missing.
  if (incoming.body.length === 0 && (mayBeEmpty || incoming.contentType === undefined)) return undefined;
  return findJsonTypeError(incoming);
}

/** Returns UNSUPPORTED_MEDIA_TYPE (415) unless the headers announce JSON in UTF-8 without a content encoding. */
export function findJsonTypeError({
  contentType,
  contentEncoding,
}: Pick<Incoming, 'contentType' | 'contentEncoding'>): ApiError | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const areParametersValid = parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter) || parameter === '');
  if (encoding === 'identity' && type === 'application/json' && areParametersValid) return undefined;
  return new ApiError({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
  });
}

/** The number of items that consume one token of the rate limit. Source: docs/additions.md, section 1.2 */
const itemsPerToken = 10;

interface ReadBody {
  /** The parsed JSON before its validation; undefined if the body cannot be parsed or the method takes no body. */
  readonly sent: unknown;
  /** The output of the schema; undefined if the body is invalid or the route takes no body. */
  readonly body: unknown;
}

function validateBody({ route, incoming }: RequestOfRoute, issues: Issue[]): ReadBody {
  const mayBeEmpty = route.body === null || route.bodyOptional;
  const parsed =
    mayBeEmpty && incoming.body.length === 0 ? ({ ok: true, value: {} } as const) : parseJson(incoming.body);
  if (!parsed.ok) {
    issues.push(parsed.issue);
    return { sent: undefined, body: undefined };
  }
  if (route.body === null) {
    for (const key of Object.keys(parsed.value)) {
      issues.push({ path: key, code: 'UNKNOWN_FIELD', message: 'This operation takes no body.' });
    }
    return { sent: parsed.value, body: undefined };
  }
  const result = route.body.safeParse(parsed.value, { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, ''));
  return { sent: parsed.value, body: result.data };
}

function validateQuery(
  { route, incoming }: RequestOfRoute,
  issues: Issue[],
): { readonly query: unknown; readonly isDryRun: boolean } {
  let isDryRun = false;
  const values = new Map<string, string>();
  const undecodable = findUndecodable(incoming.rawQuery);
  for (const [name, value] of new URLSearchParams(incoming.rawQuery)) {
    const path = `query.${name}`;
    if (values.has(name)) {
      issues.push({ path, code: 'REPEATED_PARAMETER', message: 'Send this parameter once.' });
    } else if (undecodable.delete(name)) {
      issues.push({ path, code: 'INVALID_FORMAT', message: 'Encode this parameter as percent-encoded UTF-8.' });
      continue;
    } else if (name === 'dryRun' && route.dryRun) {
      isDryRun = value === 'true';
      if (!isDryRun && value !== 'false') issues.push({ path, code: 'INVALID_FORMAT', message: 'Send true or false.' });
    } else if (route.query === null) {
      issues.push({ path, code: 'UNKNOWN_FIELD', message: 'This operation takes no query parameters.' });
    }
    values.set(name, value);
  }
  if (route.query === null) return { query: undefined, isDryRun };
  // Unlike an assignment, fromEntries makes `__proto__` an ordinary field, so that it is refused as unknown.
  const result = route.query.safeParse(Object.fromEntries(values), { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, 'query.'));
  return { query: result.data, isDryRun };
}

/**
 * Returns the names of the parameters that are not percent-encoded UTF-8. `URLSearchParams` would replace their malformed parts.
 * @source docs/contract.md, section 1
 */
function findUndecodable(rawQuery: string): Set<string> {
  if (!rawQuery.includes('%')) return new Set();
  const pairs = rawQuery.split('&').filter((pair) => !isDecodable(pair));
  return new Set(pairs.flatMap((pair) => [...new URLSearchParams(pair).keys()]));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function validateIdempotencyKey(
  {
    route,
    incoming,
    isDryRun,
    hasItemKeys,
  }: RequestOfRoute & { readonly isDryRun: boolean; readonly hasItemKeys: boolean },
  issues: Issue[],
): string | null {
  if (route.call.idempotency === 'ignored') return null;
  const key = incoming.idempotencyKey;
  const path = `header.${headerNames.idempotencyKey}`;
  if (hasItemKeys) {
    const message = 'Omit the header. Each item has its own idempotencyKey.';
    if (key !== undefined) issues.push({ path, code: 'FIELD_CONFLICT', message });
    return null;
  }
  if (key === undefined) {
    if (route.call.idempotency !== 'accepted' && !isDryRun) {
      issues.push({
        path,
        code: 'IDEMPOTENCY_KEY_REQUIRED',
        message: 'Send an Idempotency-Key of your choice, and the same one with each retry of this write.',
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

function validateIfMatch({ route, incoming }: RequestOfRoute, issues: Issue[]): readonly string[] {
  if (route.call.ifMatch === 'ignored') return [];
  const header = incoming.ifMatch;
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

function validateReadAfter({ route, incoming }: RequestOfRoute, issues: Issue[]): string | null {
  const header = incoming.readAfter;
  if (header === undefined || !takesReadAfter(route.call)) return null;
  if (logPositionPattern.test(header)) return header;
  const message = 'Send the value that a write returned, or 0/0 to accept data of any age.';
  issues.push({ path: `header.${headerNames.readAfter}`, code: 'INVALID_FORMAT', message });
  return null;
}

/**
 * Converts the errors of a schema validation to the issues of an error response.
 * @param prefix the start of each path: `query.`, or empty for the body
 */
export function toIssues(error: z.ZodError, prefix: '' | 'query.'): Issue[] {
  return error.issues.flatMap((finding) => {
    const path = prefix + finding.path.map(String).join('.');
    if (finding.code === 'unrecognized_keys') {
      return finding.keys.map((key) => ({
        path: path === '' || path.endsWith('.') ? path + key : `${path}.${key}`,
        code: 'UNKNOWN_FIELD' as const,
        message: 'This operation does not accept this field. Check its spelling or remove it.',
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
  // zod's own messages are written for authors of schemas, not for API clients. Only messages from the contract's schemas are returned
  // unchanged.
  if (finding.code === 'too_big') return `Send at most ${count(finding.maximum, finding.origin)}.`;
  if (finding.code === 'too_small') return `Send at least ${count(finding.minimum, finding.origin)}.`;
  if (code === 'REQUIRED' && finding.code !== 'custom') return 'This field is required.';
  if (finding.code === 'invalid_value') return `Send one of: ${finding.values.map(String).join(', ')}.`;
  if (finding.code === 'invalid_type') {
    return finding.expected === 'int' ? 'Send a whole number.' : `Send a JSON ${finding.expected}.`;
  }
  return finding.message;
}

/**
 * Returns a limit with its unit, for example `1 character`. Units other than characters and entries are not needed, because the contract's
 * schemas use zod's limits only for strings and lists.
 */
function count(bound: number | bigint, origin: string): string {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  return `${bound} ${Number(bound) === 1 ? one : many}`;
}
