import type * as z from 'zod';
import { errorCodesOf, returnsReadAfter } from '../call-contract.js';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import { headerNames, logPositionPattern } from '../headers.js';
import { previewOf } from '../preview.js';
import type { RouteContract } from '../route-contract.js';
import { type MetaName, schemaReference } from './component-schemas.js';
import { errorSchemaName } from './error-schemas.js';
import { type JsonSchema, reference } from './json-schema.js';

const text = { type: 'string' };

/**
 * The headers of responses, as OpenAPI components.
 * @source docs/contract.md, sections 1, 5, 6 and 7
 */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  RequestId: {
    description: 'The same as `meta.requestId`.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description: 'The version of the record, as a strong ETag.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  Location: {
    description:
      'The path of the created record, from the root of the server. If the record has no path of its own: the path of the list that ' +
      'contains it. For a budget line: the path of its budget.',
    required: true,
    schema: { ...text, pattern: '^/v1/' },
  },
  RetryAfter: {
    description: 'Whole seconds to wait before the next attempt.',
    required: true,
    schema: { ...text, pattern: '^\\d+$' },
  },
  WwwAuthenticate: {
    description: 'The Bearer challenge. With `STEP_UP_REQUIRED`, it has `max_age` (RFC 9470).',
    required: true,
    schema: { ...text, pattern: '^Bearer' },
  },
  RateLimitPolicy: {
    description:
      'The rate limit that counts this request: at most `q` requests in `w` seconds. Sent to authenticated callers.',
    schema: text,
    example: '"writes";q=300;w=60',
  },
  RateLimit: {
    description:
      'The remaining requests of the rate limit in `RateLimit-Policy`: `r` now, and one more in `t` seconds.',
    schema: text,
    example: '"writes";r=299;t=1',
  },
  ReadAfter: {
    description:
      'The position in the log of the database after this write. A read with this value includes this write, even if the server ' +
      'reads from a replica. Only servers with a replica send this header.',
    schema: { ...text, pattern: logPositionPattern.source },
    example: '0/16B3748',
  },
};

/** Returns the responses of an operation by status: successes, replays, 304, and errors with their codes. */
export function responsesOf(route: RouteContract): Record<string, JsonSchema> {
  const { call } = route;
  const honoursKey = call.idempotency !== 'ignored';
  const responses: Record<string, JsonSchema> = {};
  if (call.status === 204) {
    responses[204] = { description: 'Done. There is no body.', headers: headersOf(route, readAfterOf(route)) };
  }
  if (call.status === 200) {
    responses[200] = success(route, {
      description: honoursKey
        ? 'Done by this request, or earlier by the first attempt with this key; see `meta.idempotentReplay`.'
        : 'Done.',
      meta: metaOf(route),
      headers: [],
    });
  }
  if (call.status === 201) {
    const headers = route.location === null ? [] : [headerNames.location];
    responses[201] = success(
      { ...route, data: route.bulk?.createdData ?? route.data },
      {
        description: 'Created.',
        meta: route.bulk === null ? 'Meta' : 'BulkMeta',
        headers,
      },
    );
    if (honoursKey) {
      responses[200] = success(route, { ...(route.bulk === null ? replay : replayOrResults), headers: [] });
    }
  }
  if (route.dryRun) responses[200] = withDryRun(route, responses[200]);
  if (call.method === 'GET' && route.versioned) {
    responses[304] = {
      description: 'The record still has a version named in If-None-Match.',
      headers: headersOf(route, [headerNames.etag]),
    };
  }
  return { ...responses, ...errorResponses(route), default: reference('responses', 'OfAnyPath') };
}

/** Returns the name of the OpenAPI component for `meta` in a response with status 200. */
function metaOf({ call, paginated, summarized, feed }: RouteContract): MetaName {
  if (paginated) return 'PageMeta';
  if (summarized) return 'SummaryMeta';
  if (feed) return 'FeedMeta';
  return call.idempotency === 'ignored' ? 'Meta' : 'FirstOrReplayMeta';
}

const replay = {
  description: 'A replay: the response to the first attempt with this key. This request changed nothing.',
  meta: 'ReplayMeta',
} as const;

const replayOrResults = {
  description:
    'In mode `atomic`: a replay, which is the response to the first attempt with this key. In mode `independent`: the results.',
  meta: 'BulkReplayMeta',
} as const;

function success(
  route: RouteContract,
  answer: { readonly description: string; readonly meta: MetaName; readonly headers: readonly string[] },
): JsonSchema {
  if (route.data === null) throw new Error(`${route.call.name} returns ${route.call.status} but has no data.`);
  const headers = [...answer.headers, ...(route.versioned ? [headerNames.etag] : []), ...readAfterOf(route)];
  return {
    description: answer.description,
    headers: headersOf(route, headers),
    ...json(envelopeOf(route.data, answer.meta)),
  };
}

function envelopeOf(data: z.ZodType, meta: MetaName): JsonSchema {
  return {
    type: 'object',
    properties: { data: schemaReference(data), meta: reference('schemas', meta) },
    required: ['data', 'meta'],
    additionalProperties: false,
  };
}

/**
 * Adds the result of a dry run to the response with status 200, as an alternative body. The header `ETag` becomes optional: a dry run
 * returns an ETag only if it replays a stored response.
 */
function withDryRun(route: RouteContract, response: JsonSchema | undefined): JsonSchema {
  if (route.data === null) throw new Error(`${route.call.name} accepts a dry run but has no data.`);
  const dryRun = envelopeOf(previewOf(route.data), route.bulk === null ? 'DryRunMeta' : 'BulkDryRunMeta');
  if (response === undefined) {
    return { description: 'The result of a dry run.', headers: headersOf(route, []), ...json(dryRun) };
  }
  const { content } = response as { readonly content: { 'application/json': { schema: JsonSchema } } };
  const headers = { ...(response.headers as JsonSchema) };
  if (route.versioned) headers[headerNames.etag] = sometimes('ETag');
  return {
    ...response,
    description: `${response.description} Or the result of a dry run; see \`meta.dryRun\`.`,
    headers,
    ...json({ anyOf: [content['application/json'].schema, dryRun] }),
  };
}

function readAfterOf({ call }: RouteContract): readonly string[] {
  return returnsReadAfter(call) ? [headerNames.readAfter] : [];
}

/** The errors that the server may return for every path, even before it has found a route. */
const errorsOfAnyPath: readonly ErrorCode[] = ['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'REQUEST_HEADERS_TOO_LARGE'];

/** Returns the response that each operation has as its `default`. */
export function responseOfAnyPath(): JsonSchema {
  const texts = errorsOfAnyPath.map((code) => `${errorCodes[code].status} \`${code}\`: ${errorCodes[code].remedy}`);
  const schemas = errorsOfAnyPath.map((code) => reference('schemas', errorSchemaName(code)));
  const headers = { [headerNames.requestId]: reference('headers', 'RequestId') };
  return { description: texts.join('\n\n'), headers, ...json({ anyOf: schemas }) };
}

function errorResponses(route: RouteContract): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route.call)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schemas = codes.map((code) => reference('schemas', errorSchemaName(code)));
      const description = codes.map((code) => `\`${code}\`: ${errorCodes[code].remedy}`).join('\n\n');
      const headers = headersOf(route, errorHeaders(status), status !== errorCodes.PAYLOAD_TOO_LARGE.status);
      if (codes.includes('VERSION_CONFLICT')) headers[headerNames.etag] = sometimes('ETag');
      if (codes.includes('IDEMPOTENCY_IN_PROGRESS')) headers[headerNames.retryAfter] = sometimes('RetryAfter');
      return [status, { description, headers, ...json(schemas.length === 1 ? schemas[0] : { anyOf: schemas }) }];
    }),
  );
}

function errorHeaders(status: number): string[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 || status === 503 ? [headerNames.retryAfter] : [];
}

/** Returns a header as optional, because not all responses with this status have it. */
function sometimes(name: keyof typeof responseHeaders): JsonSchema {
  return { ...responseHeaders[name], required: false };
}

const componentOfHeader: Readonly<Record<string, keyof typeof responseHeaders>> = {
  [headerNames.etag]: 'ETag',
  [headerNames.location]: 'Location',
  [headerNames.retryAfter]: 'RetryAfter',
  [headerNames.readAfter]: 'ReadAfter',
  'WWW-Authenticate': 'WwwAuthenticate',
};

/**
 * Returns the headers of a response: `names`, the request id and, if the operation requires authentication, the rate limit.
 * @param knowsCaller false for errors that the server returns before it authenticates the caller; they have no rate limit headers
 */
function headersOf(route: RouteContract, names: readonly string[], knowsCaller = true): Record<string, JsonSchema> {
  const own = names.map((name) => [name, reference('headers', componentOfHeader[name] ?? name)]);
  const limited = route.call.caller !== 'anyone' && knowsCaller;
  return {
    [headerNames.requestId]: reference('headers', 'RequestId'),
    ...Object.fromEntries(own),
    ...(limited ? { 'RateLimit-Policy': reference('headers', 'RateLimitPolicy') } : {}),
    ...(limited ? { RateLimit: reference('headers', 'RateLimit') } : {}),
  };
}

function json(schema: unknown): JsonSchema {
  return { content: { 'application/json': { schema } } };
}
