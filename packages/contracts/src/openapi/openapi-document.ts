import { bodyBytesMax } from '../headers.js';
import { jwksPath } from '../identity/identity.calls.js';
import { routes } from '../routes.js';
import { componentSchemas } from './component-schemas.js';
import type { JsonSchema } from './json-schema.js';
import { type OpenApiOperation, publicKeysOperation, toOperation } from './openapi-operation.js';
import { tagTexts } from './operation-texts.js';
import { headerParameters } from './parameters.js';
import { responseHeaders, responseOfAnyPath } from './responses.js';

/** The whole API as an OpenAPI 3.1 document, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  /** The operations, by path template and then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/**
 * Generates the OpenAPI document from the table of routes, plus the operation that returns the public keys. The same
 * arguments always return the same document, including the order of its keys.
 * @source docs/contract.md, section 10
 * @param options.serverUrl the root of the server, without `/v1`. `/` means the server that returns the document.
 * @param options.version the version of the software, such as `1.2.0`
 * @param options.hasIdentity false for a server with an external issuer. Such a server has no operations of the embedded identity
 * provider, and publishes no keys.
 */
export function openApiDocument(options: {
  readonly serverUrl: string;
  readonly version: string;
  readonly hasIdentity?: boolean;
}): OpenApiDocument {
  const { hasIdentity = true } = options;
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of Object.values(routes)) {
    if (route.call.resource === 'identity' && !hasIdentity) continue;
    const path = route.call.base + route.call.path;
    paths[path] = { ...paths[path], [route.call.method.toLowerCase()]: toOperation(route) };
  }
  if (hasIdentity) paths[jwksPath] = { get: publicKeysOperation() };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Centavo',
      version: options.version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(tagTexts)
      .filter(([name]) => name !== 'identity' || hasIdentity)
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      parameters: headerParameters,
      headers: responseHeaders,
      responses: { OfAnyPath: responseOfAnyPath() },
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: "The access token of a user session. It has the rights of its user's role in the tracker.",
        },
        secret: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'centavo_live_…',
          description:
            'The secret of an API key or an integration client. The rights of the credential are limited by its scopes and by the ' +
            'role of its owner in the tracker.',
        },
      },
    },
  };
}

const introduction = [
  'Records expenses, incomes and transfers. Programs can retry safely: the server records a movement or transfer once per `Idempotency-Key`.',
  'Money is a decimal string in major units (euros, not cents), such as `"12.50"`. The server rejects an amount with too many decimal places for its currency, and never rounds.',
  'Unknown fields and unknown or repeated query parameters are rejected.',
  'Texts are trimmed. Their length is counted in Unicode code points. An empty optional text becomes `null`.',
  `A body is one JSON object of at most ${bodyBytesMax} bytes.`,
  'Every error response links to the documentation of its code: `Link: </docs/errors/NOT_FOUND>; rel="help"`.',
].join('\n\n');
