import { errorCodes } from '@centavo/contracts';
import { type OpenApiOperation, openApiDocument } from '@centavo/contracts/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const document = openApiDocument({ serverUrl: '/', version: '0.0.0' });
const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

const watchedOrigins = new Set<string>();
const realFetch = globalThis.fetch;

/**
 * Holds every answer that this process gets from `origin` by `fetch`, however the test asked, against the OpenAPI document:
 * a status, header or field that the document does not have fails the test that saw it.
 * @returns stops it
 */
export function checkResponses(origin: string): () => void {
  watchedOrigins.add(origin);
  globalThis.fetch = fetchAndJudge;
  return () => {
    watchedOrigins.delete(origin);
    if (watchedOrigins.size === 0) globalThis.fetch = realFetch;
  };
}

const fetchAndJudge: typeof fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? String(input));
  const response = await realFetch(input, init);
  if (watchedOrigins.has(url.origin) && url.pathname.startsWith('/v1/')) {
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    // A HEAD is answered without the body that the document promises to its GET.
    if (method !== 'HEAD') await checkResponse({ method, path: url.pathname, response: response.clone() });
  }
  return response;
};

const pathPatterns = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

// What is told before a route is found, or beside every one.
const codesOfNoRoute = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'REQUEST_HEADERS_TOO_LARGE'] as const;
const statusesOfNoRoute = new Set<number>(codesOfNoRoute.map((code) => errorCodes[code].status));

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly response: Response;
}

/** @throws Error that says what the document does not have */
export async function checkResponse({ method, path, response }: Seen): Promise<void> {
  const name = `${method} ${path} → ${response.status}`;
  const text = await response.text();
  const template = pathPatterns.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  const documented = operation?.responses[response.status] as DocumentedResponse | undefined;
  if (template === undefined || operation === undefined || documented === undefined) {
    // Another path, another method, or a path whose escapes are broken.
    const isKnown = statusesOfNoRoute.has(response.status) || (operation === undefined && response.status === 400);
    if (!isKnown) throw new Error(`${name} is not in the OpenAPI document`);
    return;
  }
  judgeHeaders(name, documented, response.headers);
  if (documented.content === undefined) {
    if (text !== '') throw new Error(`${name} came with a body that the OpenAPI document does not have`);
    return;
  }
  const validate = validatorOf({ template, method, status: response.status });
  if (!validate(JSON.parse(text))) {
    throw new Error(`${name} is not as the OpenAPI document says: ${ajv.errorsText(validate.errors)}`);
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

function judgeHeaders(name: string, documented: DocumentedResponse, headers: Headers): void {
  for (const [header, told] of Object.entries(documented.headers)) {
    const definition = (
      told.$ref === undefined ? told : document.components.headers?.[told.$ref.split('/').at(-1) ?? '']
    ) as DocumentedHeader;
    const value = headers.get(header);
    if (value === null && definition.required !== true) continue;
    if (value === null || !ajv.validate(definition.schema, value)) {
      throw new Error(`${name}: ${header} is ${value === null ? 'missing' : 'not as the OpenAPI document says'}`);
    }
  }
  for (const header of ['etag', 'location', 'retry-after', 'www-authenticate']) {
    const isTold = Object.keys(documented.headers).some((told) => told.toLowerCase() === header);
    if (headers.has(header) && !isTold) {
      throw new Error(`${name}: the OpenAPI document does not have the header ${header}`);
    }
  }
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(answer: { template: string; method: string; status: number }): ValidateFunction {
  const escaped = encodeURIComponent(answer.template.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = `paths/${escaped}/${answer.method.toLowerCase()}/responses/${answer.status}`;
  const $ref = `openapi#/${pointer}/content/application~1json/schema`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate;
}
