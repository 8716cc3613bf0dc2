import { type ErrorCode, errorCodes } from '../error-codes.js';
import { errorSchemaName } from './error-schemas.js';
import { type JsonSchema, reference } from './json-schema.js';
import type { OpenApiOperation } from './openapi-document.js';

const errors: readonly ErrorCode[] = ['REQUEST_HEADERS_TOO_LARGE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** GET /.well-known/jwks.json, which is no call of the table: a JWK set has no envelope. Source: contract, section 8 */
export function publicKeysOperation(): OpenApiOperation {
  const headers = { 'X-Request-Id': reference('headers', 'RequestId') };
  return {
    operationId: 'getPublicKeys',
    tags: ['identity'],
    summary: 'Get the public keys of the access tokens',
    description: 'A JWK set (RFC 7517) as it is, without an envelope.\n\nNeeds no credential.',
    security: [],
    parameters: [],
    responses: {
      200: { description: 'Done.', headers, content: { 'application/json': { schema: keySet } } },
      ...Object.fromEntries(
        errors.map((code) => [
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
