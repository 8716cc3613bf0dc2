import type { CallContract } from '../call-contract.js';
import { type ErrorCode, errorCodes } from '../error-codes.js';
import type { RouteContract } from '../route-contract.js';
import type { RouteName } from '../routes.js';
import { schemaReference } from './component-schemas.js';
import { errorSchemaName } from './error-schemas.js';
import { type JsonSchema, reference } from './json-schema.js';
import { operationTexts } from './operation-texts.js';
import { parametersOf } from './parameters.js';
import { responsesOf } from './responses.js';

/** One operation of the API, as OpenAPI describes it. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  /** The responses, by status or `default`. */
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** Returns the OpenAPI description of a route's operation. */
export function toOperation(route: RouteContract): OpenApiOperation {
  const { call, body } = route;
  const [summary, description] = operationTexts[call.name as RouteName];
  const content = body === null ? undefined : { 'application/json': { schema: schemaReference(body) } };
  return {
    operationId: call.name,
    tags: [call.resource],
    summary,
    description: [description, ...rightsTexts(call)].filter((text) => text !== undefined).join('\n\n'),
    security: securityOf(call),
    parameters: parametersOf(route),
    ...(content === undefined ? {} : { requestBody: { required: !route.bodyOptional, content } }),
    responses: responsesOf(route),
  };
}

/**
 * Returns the security requirements of an operation. It is enough that a request meets one of them. Each scope is a separate requirement,
 * because a credential needs only one of the scopes.
 */
function securityOf({ caller, scopes }: CallContract): OpenApiOperation['security'] {
  if (caller === 'anyone') return [];
  if (caller === 'user') return [{ session: [] }];
  return [{ session: [] }, ...scopes.map((scope) => ({ secret: [scope] }))];
}

function rightsTexts({ caller, scopes, role, stepUp }: CallContract): string[] {
  const texts: string[] = [];
  if (caller === 'anyone') texts.push('Requires no credential.');
  if (caller === 'user') texts.push('Requires a user session.');
  if (scopes.length > 0) texts.push(`Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`);
  if (role !== null) texts.push(`Minimum role in the tracker: \`${role}\`.`);
  if (stepUp)
    texts.push(
      'If the request uses a session, the session must not have ended, and a one-time code must have been verified in it recently.',
    );
  return texts;
}

/**
 * Returns the OpenAPI description of GET /.well-known/jwks.json. This operation is not in the table of routes, because a JWK set has no
 * envelope.
 * @source docs/contract.md, section 8
 */
export function publicKeysOperation(): OpenApiOperation {
  const headers = { 'X-Request-Id': reference('headers', 'RequestId') };
  return {
    operationId: 'getPublicKeys',
    tags: ['identity'],
    summary: 'Get the public keys that verify access tokens',
    description: 'A JWK set (RFC 7517), without an envelope.\n\nRequires no credential.',
    security: [],
    parameters: [],
    responses: {
      200: { description: 'Done.', headers, content: { 'application/json': { schema: keySet } } },
      ...Object.fromEntries(
        publicKeysErrors.map((code) => [
          errorCodes[code].status,
          {
            description: `\`${code}\`: ${errorCodes[code].remedy}`,
            headers:
              code === 'SERVICE_UNAVAILABLE'
                ? { ...headers, 'Retry-After': reference('headers', 'RetryAfter') }
                : headers,
            content: { 'application/json': { schema: reference('schemas', errorSchemaName(code)) } },
          },
        ]),
      ),
    },
  };
}

const publicKeysErrors: readonly ErrorCode[] = ['REQUEST_HEADERS_TOO_LARGE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

const text = { type: 'string' };
const keySet: JsonSchema = {
  type: 'object',
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        properties: { kty: text, crv: text, x: text, y: text, kid: text, alg: text, use: { const: 'sig' } },
        required: ['kty', 'kid', 'alg', 'use'],
        additionalProperties: false,
      },
    },
  },
  required: ['keys'],
  additionalProperties: false,
};
