import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { errorCodesOf, takesReadAfter } from '../call-contract.js';
import { errorCodes } from '../error-codes.js';
import type { RouteContract } from '../route-contract.js';
import { routes } from '../routes.js';
import { type OpenApiDocument, openApiDocument } from './index.js';
import { schemaTexts } from './schema-texts.js';

const print = () => openApiDocument({ serverUrl: '/', version: '0.1.0' });
const document = print();
const all: readonly RouteContract[] = Object.values(routes);

const operationOf = ({ call }: RouteContract) => {
  const operation = document.paths[call.base + call.path]?.[call.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${call.name} is not in the document`);
  return operation;
};

function codeOfSchema(name: string): string {
  const { [name]: schema } = document.components.schemas ?? {};
  return (schema as { properties: { error: { properties: { code: { const: string } } } } }).properties.error.properties
    .code.const;
}

async function lint(subject: OpenApiDocument): Promise<string[]> {
  const config = await loadConfig({ configPath: fileURLToPath(new URL('../../../../redocly.yaml', import.meta.url)) });
  const problems = await lintFromString({ source: JSON.stringify(subject), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('the OpenAPI document', () => {
  test('passes the OpenAPI linter', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('has no unused schema, parameter, header or response', () => {
    const printed = JSON.stringify(document);
    const { securitySchemes: _, ...referred } = document.components;
    const references = Object.entries(referred).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.filter((reference) => !printed.includes(`"${reference}"`))).toEqual([]);
  });

  test('fails the OpenAPI linter if it has a dangling reference', async () => {
    const { Movement: _, ...schemas } = document.components.schemas ?? {};
    const broken = { ...document, components: { ...document.components, schemas } };
    expect((await lint(broken)).some((problem) => problem.startsWith('no-unresolved-refs'))).toBe(true);
  });

  // @proves contract 10: GET /openapi.json
  test('has exactly the operations of the route table and the operation that returns the public keys', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    const declared = all.map(({ call }) => `${call.name} ${call.method} ${call.base}${call.path}`);
    expect(found.sort()).toEqual([...declared, 'getPublicKeys GET /.well-known/jwks.json'].sort());
  });

  test('omits the embedded identity provider if the server uses an external issuer', async () => {
    const external = openApiDocument({ serverUrl: '/', version: '0.1.0', hasIdentity: false });
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/v1/financial'));
    expect(Object.keys(external.paths)).toEqual(paths);
    expect(external.tags.map(({ name }) => name)).not.toContain('identity');
    expect(await lint(external)).toEqual([]);
  });

  test('declares only the header X-Request-Id for 413 responses, which the server sends before authentication', () => {
    for (const route of all) {
      const headers = operationOf(route).responses[413]?.headers;
      expect(Object.keys(headers ?? {})).toEqual(['X-Request-Id']);
    }
  });

  test('has the header Centavo-Read-After only in the 2xx responses of all financial writes and in the requests of 16 read operations', () => {
    const responsesWithReadAfter = (route: RouteContract) =>
      Object.entries(operationOf(route).responses).filter(([, { headers }]) => 'Centavo-Read-After' in Object(headers));
    const found = all.filter((route) => responsesWithReadAfter(route).length > 0);
    expect(all.filter(({ call }) => takesReadAfter(call)).map(({ call }) => call.name)).toEqual([
      ...[
        'getContext',
        'listMembers',
        'listAccounts',
        'listCashboxes',
        'listBalances',
        'listCategories',
        'getCategory',
      ],
      ...['listMovements', 'summarizeMovements', 'getMovement', 'getTransfer', 'listBudgets', 'getBudget'],
      ...['listWebhooks', 'getWebhook', 'listWebhookDeliveries'],
    ]);
    const writes = all.filter(({ call }) => call.method !== 'GET' && call.resource !== 'identity');
    expect(found).toEqual(writes);
    for (const [status] of found.flatMap(responsesWithReadAfter)) expect(status).toMatch(/^2/);
  });

  test('has every schema and field for which schema-texts.ts has a description', () => {
    for (const [name, { text, fields = {} }] of Object.entries(schemaTexts)) {
      const schema = document.components.schemas?.[name];
      expect(schema?.description).toBe(text);
      expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
  });

  test('is identical each time it is generated, including the order of its keys', () => {
    expect(JSON.stringify(print())).toBe(JSON.stringify(document));
  });

  // @proves spec, Versioning: rule 1
  test('has a list of movements as the data of a 201 response of POST /movements/bulk', () => {
    const { 201: created } = operationOf(routes.createMovements).responses;
    expect(created).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Movement' } } } },
        },
      },
    });
  });

  test('has the configured server URL and version', () => {
    const { servers, info } = openApiDocument({ serverUrl: 'https://centavo.example.org', version: '7.8.9' });
    expect(servers).toEqual([{ url: 'https://centavo.example.org' }]);
    expect(info).toMatchObject({ version: '7.8.9' });
  });
});

describe.each(all.map((route) => [route.call.name, route] as const))('the operation %s', (_, route) => {
  const { call } = route;
  const operation = operationOf(route);

  test('has a response for every status that its route can return, and lists exactly the error codes of its route', () => {
    const keyed = call.idempotency !== 'ignored';
    const successes = [
      call.status,
      ...(keyed || route.dryRun ? [200] : []),
      ...(route.versioned && call.method === 'GET' ? [304] : []),
    ];
    const errors = errorCodesOf(call).map((code) => errorCodes[code].status);
    const statuses = [...[...new Set<number>([...successes, ...errors])].map(String), 'default'];
    expect(Object.keys(operation.responses).sort()).toEqual(statuses.sort());
    const names = JSON.stringify(operation.responses).matchAll(/schemas\/(\w+Error)"/g);
    const codes = [...names].map(([, name = '']) => codeOfSchema(name));
    expect(codes.sort()).toEqual([...errorCodesOf(call)].sort());
  });

  test('declares the same headers, path parameters and credentials as its route, and a body if and only if its route has one', () => {
    const names = operation.parameters.map(({ $ref, name }) =>
      String($ref ?? name).replace('#/components/parameters/', ''),
    );
    expect(names.includes('TrackerId')).toBe(call.tracker !== 'none');
    expect(names.includes('RequiredIdempotencyKey')).toBe(call.idempotency === 'required');
    expect(names.includes('IdempotencyKey')).toBe(call.idempotency === 'accepted');
    expect(names.includes('IfMatch')).toBe(call.ifMatch === 'required');
    expect(names.includes('ReadAfter')).toBe(takesReadAfter(call));
    for (const [, name] of call.path.matchAll(/\{(\w+)\}/g)) expect(names).toContain(name);
    expect(operation.requestBody === undefined).toBe(route.body === null);
    if (route.body !== null) expect(operation.requestBody?.required).toBe(!route.bodyOptional);
    const kinds = operation.security.flatMap((alternative) => Object.keys(alternative));
    expect(kinds.includes('session')).toBe(call.caller !== 'anyone');
    expect(kinds.includes('secret')).toBe(call.caller === 'principal');
    expect(operation.security.flatMap(({ secret = [] }) => secret)).toEqual(call.scopes);
  });
});
