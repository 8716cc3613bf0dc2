import { errorCodes } from '@centavo/contracts';
import { type OpenApiOperation, openApiDocument } from '@centavo/contracts/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const document = openApiDocument({ serverUrl: '/', version: '0.0.0' });
const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

const checkedOrigins = new Set<string>();
const realFetch = globalThis.fetch;

/**
 * Checks every response that `fetch` receives from `origin` in this process against the OpenAPI document. If the status, a header or a
 * field does not match the document, `fetch` throws, and the test fails.
 * @returns a function that stops the checks
 */
export function checkResponses(origin: string): () => void {
  checkedOrigins.add(origin);
  globalThis.fetch = fetchAndCheck;
  return () => {
    checkedOrigins.delete(origin);
    if (checkedOrigins.size === 0) globalThis.fetch = realFetch;
  };
}

const fetchAndCheck: typeof fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? String(input));
  const response = await realFetch(input, init);
  // The OpenAPI document does not describe the messages of MCP, which has its own specification.
  if (checkedOrigins.has(url.origin) && /^\/v1\/(?!mcp\b)/.test(url.pathname)) {
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    // The document declares no HEAD operations: a response to HEAD is the response to GET without its body.
    if (method !== 'HEAD') await checkResponse({ method, path: url.pathname, response: response.clone() });
  }
  return response;
};

const pathPatterns = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

// Errors that the server returns for an unknown path or method, or that it can return for every request.
const codesWithoutRoute = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'REQUEST_HEADERS_TOO_LARGE'] as const;
const statusesWithoutRoute = new Set<number>(codesWithoutRoute.map((code) => errorCodes[code].status));

interface ReceivedResponse {
  readonly method: string;
  readonly path: string;
  readonly response: Response;
}

/** @throws Error that names the status, header or field that does not match the document */
export async function checkResponse({ method, path, response }: ReceivedResponse): Promise<void> {
  const name = `${method} ${path} → ${response.status}`;
  const text = await response.text();
  const template = pathPatterns.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  const documented = operation?.responses[response.status] as DocumentedResponse | undefined;
  if (template === undefined || operation === undefined || documented === undefined) {
    // The document declares no response for an unknown path, an unknown method, or a path with malformed percent-encoding.
    const isKnown = statusesWithoutRoute.has(response.status) || (operation === undefined && response.status === 400);
    if (!isKnown) throw new Error(`${name} is not in the OpenAPI document`);
    return;
  }
  checkHeaders(name, documented, response.headers);
  if (documented.content === undefined) {
    if (text !== '') throw new Error(`${name} has a body that the OpenAPI document does not declare`);
    return;
  }
  const validate = validatorOf({ template, method, status: response.status });
  if (!validate(JSON.parse(text))) {
    throw new Error(`${name} does not match the OpenAPI document: ${ajv.errorsText(validate.errors)}`);
  }
}

type DocumentedResponse = OpenApiOperation['responses'][string] & {
  readonly content?: unknown;
  readonly headers: Readonly<Record<string, { readonly $ref?: string; readonly required?: boolean }>>;
};

interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: object;
}

function checkHeaders(name: string, documented: DocumentedResponse, headers: Headers): void {
  for (const [header, declared] of Object.entries(documented.headers)) {
    const definition = (
      declared.$ref === undefined ? declared : document.components.headers?.[declared.$ref.split('/').at(-1) ?? '']
    ) as DocumentedHeader;
    const value = headers.get(header);
    if (value === null && definition.required !== true) continue;
    if (value === null || !ajv.validate(definition.schema, value)) {
      throw new Error(`${name}: ${header} is ${value === null ? 'missing' : 'not valid under the OpenAPI document'}`);
    }
  }
  for (const header of ['etag', 'location', 'retry-after', 'www-authenticate']) {
    const isDeclared = Object.keys(documented.headers).some((name) => name.toLowerCase() === header);
    if (headers.has(header) && !isDeclared) {
      throw new Error(`${name}: the OpenAPI document does not declare the header ${header}`);
    }
  }
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(response: { template: string; method: string; status: number }): ValidateFunction {
  const escaped = encodeURIComponent(response.template.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = `paths/${escaped}/${response.method.toLowerCase()}/responses/${response.status}`;
  const $ref = `openapi#/${pointer}/content/application~1json/schema`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate;
}
