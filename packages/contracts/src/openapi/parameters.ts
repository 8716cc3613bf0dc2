import type * as z from 'zod';
import { takesReadAfter } from '../call-contract.js';
import { headerNames, idempotencyKeyPattern, logPositionPattern } from '../headers.js';
import type { RouteContract } from '../route-contract.js';
import { categoryIdPattern } from '../values/ids.js';
import { type JsonSchema, reference, toJsonSchema } from './json-schema.js';

const idempotencyKeySchema = { type: 'string', pattern: idempotencyKeyPattern.source, examples: ['coffee-1'] };
const idempotencyText = 'Use a new key for each write. A repeated request with the same key returns the first response';

/**
 * The request headers and the dry-run parameter of operations, as OpenAPI components.
 * @source docs/contract.md, sections 2 and 6
 */
export const headerParameters: Readonly<Record<string, JsonSchema>> = {
  TrackerId: {
    name: headerNames.trackerId,
    in: 'header',
    required: false,
    description:
      'The tracker to act in. Optional if the caller can use only one tracker, or has chosen an active or default tracker. ' +
      'API keys from POST /api-keys (kind `secure`) are an exception: for them, the server ignores the active and the default tracker.',
    schema: { type: 'string', format: 'uuid' },
  },
  DryRun: {
    name: 'dryRun',
    in: 'query',
    required: false,
    description:
      'With `true`, the server runs the whole write and rolls it back. The response has the result and the effects on balances. ' +
      'A request with `dryRun=true` needs no idempotency key.',
    schema: { type: 'boolean' },
  },
  RequiredIdempotencyKey: {
    name: headerNames.idempotencyKey,
    in: 'header',
    required: true,
    description: `${idempotencyText}; a different request with the same key is rejected.`,
    schema: idempotencyKeySchema,
  },
  IdempotencyKey: {
    name: headerNames.idempotencyKey,
    in: 'header',
    required: false,
    description: `${idempotencyText}; a different request with the same key is rejected. Without a key, a retry may record the write twice.`,
    schema: idempotencyKeySchema,
  },
  AtomicIdempotencyKey: {
    name: headerNames.idempotencyKey,
    in: 'header',
    required: false,
    description: `Required in mode \`atomic\`, rejected in mode \`independent\`. ${idempotencyText}.`,
    schema: idempotencyKeySchema,
  },
  IfMatch: {
    name: headerNames.ifMatch,
    in: 'header',
    required: true,
    description: 'The strong ETag of the version to change, or a list of ETags. `*` and weak ETags are rejected.',
    schema: { type: 'string', pattern: '^\\s*"[^"]*"' },
  },
  IfNoneMatch: {
    name: headerNames.ifNoneMatch,
    in: 'header',
    required: false,
    description: 'ETags that the client has. The status is 304 if the record still has one of them.',
    schema: { type: 'string' },
  },
  ReadAfter: {
    name: headerNames.readAfter,
    in: 'header',
    required: false,
    description:
      'A position in the write-ahead log of the database. The server may then read from a replica that has applied the log up to this ' +
      'position. Send the value of the header `Centavo-Read-After` in the response to an earlier write, or `0/0` to accept any replica, ' +
      'however far behind it is. ' +
      'Without this header, the response includes all earlier writes.',
    schema: { type: 'string', pattern: logPositionPattern.source, examples: ['0/16B3748'] },
  },
};

/** Returns the parameters of an operation: path, query and headers. */
export function parametersOf(route: RouteContract): JsonSchema[] {
  const { call } = route;
  const component = (name: keyof typeof headerParameters) => reference('parameters', name);
  return [
    ...[...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name)),
    ...(route.query === null ? [] : queryParameters(route.query)),
    ...(route.dryRun ? [component('DryRun')] : []),
    ...(call.tracker === 'none' ? [] : [component('TrackerId')]),
    ...(call.idempotency === 'required' ? [component('RequiredIdempotencyKey')] : []),
    ...(call.idempotency === 'accepted' ? [component('IdempotencyKey')] : []),
    ...(call.idempotency === 'by_mode' ? [component('AtomicIdempotencyKey')] : []),
    ...(call.ifMatch === 'required' ? [component('IfMatch')] : []),
    ...(call.method === 'GET' && route.versioned ? [component('IfNoneMatch')] : []),
    ...(takesReadAfter(call) ? [component('ReadAfter')] : []),
  ];
}

function pathParameter(name: string): JsonSchema {
  const schema =
    name === 'categoryId' ? { type: 'string', pattern: categoryIdPattern.source } : { type: 'string', format: 'uuid' };
  return { name, in: 'path', required: true, schema };
}

function queryParameters(query: z.ZodType): JsonSchema[] {
  const { properties, required = [] } = toJsonSchema(query, 'input') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    // A list is one parameter with comma-separated values, because the server rejects repeated parameters.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}
