import { hostileValues } from '../../../../apps/server/test-support/hostile-values.js';
import { drawBelow, drawFrom } from '../draw.js';
import type { SeededRandom } from '../seeded-random.js';
import type { WireRequest } from './wire-request.js';

type Mutation = (request: WireRequest, random: SeededRandom) => WireRequest;

/** Applies one to three mutations to a request. */
export function mutateRequest(request: WireRequest, random: SeededRandom): WireRequest {
  let mutated = request;
  for (let changes = 1 + drawBelow(random, 3); changes > 0; changes -= 1)
    mutated = drawFrom(random, mutations)(mutated, random);
  return mutated;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const headerNames = [
  ...['Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Service-Tracker-Id', 'Authorization', 'Content-Type'],
  ...['Content-Encoding', 'Accept', 'Accept-Encoding', 'X-Forwarded-For', 'X-HTTP-Method-Override', 'Cookie', 'Range'],
  ...['Origin', 'Referer', 'Forwarded', 'Via', 'Upgrade', 'TE', 'X-Request-Id', 'traceparent', '__proto__', 'Date'],
];

const headerValues = [
  ...[
    '',
    '*',
    'W/"1"',
    '"1"',
    '"1", "2"',
    '""',
    '"',
    'Bearer',
    'Bearer x',
    'Basic eDp5',
    'Bearer a.b.c',
    'null',
    '0',
    '-1',
  ],
  ...[
    'gzip',
    'identity',
    'text/html',
    'application/json; charset=latin1',
    'application/json;',
    'multipart/form-data',
    'é',
  ],
  ...[
    '\t',
    '\x80\xff',
    'x'.repeat(300),
    'x'.repeat(4_000),
    ','.repeat(500),
    'bytes=0-1',
    '127.0.0.1',
    'h2c',
    '%00',
    '{}',
  ],
];

const targets = [
  '',
  '/',
  '//',
  '/.',
  '/..',
  '/../..',
  '/%2e%2e/',
  '/%00',
  '/%',
  '/%ff',
  ';x',
  '/constructor',
  '/__proto__',
  '/\u00e9',
];
const names = [
  'limit',
  'offset',
  'cursor',
  'from',
  'to',
  'type',
  'kind',
  'categoryIds',
  'x',
  '__proto__',
  'a[b]',
  'a.b',
  '',
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'];

const changeBody =
  (change: (text: string, random: SeededRandom) => Buffer | string): Mutation =>
  (request, random) => {
    const body = change(request.body.toString('latin1'), random);
    return { ...request, body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body };
  };

/** Mutates the fields of a JSON body; leaves a malformed body unchanged. */
const changeFields =
  (change: (fields: Record<string, unknown>, random: SeededRandom) => unknown): Mutation =>
  (request, random) => {
    try {
      const fields = JSON.parse(request.body.toString());
      if (fields === null || typeof fields !== 'object') return request;
      return { ...request, body: Buffer.from(JSON.stringify(change(fields, random)) ?? '') };
    } catch {
      return request;
    }
  };

const fieldOf = (fields: object, random: SeededRandom) =>
  drawFrom(random, ['x', ...Object.keys(fields), ...Object.keys(fields)]);

const mutations: readonly Mutation[] = [
  changeFields((fields, random) => ({ ...fields, [fieldOf(fields, random)]: drawFrom(random, hostileValues) })),
  changeFields((fields, random) => ({ ...fields, [fieldOf(fields, random)]: drawFrom(random, hostileValues) })),
  changeFields((fields, random) => ({ ...fields, [fieldOf(fields, random)]: undefined })),
  changeFields((fields, random) => ({
    ...fields,
    [textOf(drawFrom(random, hostileValues))]: drawFrom(random, hostileValues),
  })),
  changeFields((fields, random) => drawFrom(random, [[fields], JSON.stringify(fields), { data: fields }, null, 7])),
  // Repeats the first member of the JSON object, which no JSON library does.
  changeBody((text) => text.replace('{', `{${text.slice(1, text.indexOf(',') + 1)}`)),
  changeBody((text, random) =>
    text.replace('{', `{"__proto__":${JSON.stringify(drawFrom(random, hostileValues)) ?? 1},`),
  ),
  changeBody((text, random) => text.slice(0, drawBelow(random, text.length + 1))),
  changeBody((text, random) => `${text}${drawFrom(random, [' ', '\n', '{}', ',', '\u0000', '}', 'x'.repeat(70_000)])}`),
  changeBody(
    (text, random) =>
      `${drawFrom(random, ['\u00ef\u00bb\u00bf', '\u0000', '\u00ff\u00fe', '[', ")]}',\n", '/**/'])}${text}`,
  ),
  changeBody((_, random) => '{"a":'.repeat(drawBelow(random, 8_000))),
  changeBody(
    (_, random) =>
      `{"amountDecimal":${drawFrom(random, ['1e999', '-0', '01', '.5', '1'.repeat(5_000), 'NaN', '1_0'])}}`,
  ),
  changeBody((text, random) => {
    const bytes = Buffer.from(text, 'latin1');
    if (bytes.length > 0) bytes[drawBelow(random, bytes.length)] = drawBelow(random, 256);
    return bytes;
  }),
  (request, random) => ({
    ...request,
    headers: [...request.headers, [drawFrom(random, headerNames), drawFrom(random, headerValues)]],
  }),
  (request, random) => {
    const at = drawBelow(random, request.headers.length);
    const value = drawFrom(random, headerValues);
    return { ...request, headers: request.headers.map(([name, old], index) => [name, index === at ? value : old]) };
  },
  (request, random) => {
    const at = drawBelow(random, request.headers.length);
    return { ...request, headers: request.headers.filter((_, index) => index !== at) };
  },
  (request, random) => ({ ...request, target: request.target + encodeURI(drawFrom(random, targets)) }),
  (request, random) => {
    const value = textOf(drawFrom(random, hostileValues));
    const written = encodeURIComponent(value.isWellFormed() ? value : '%ZZ').slice(0, 8_000);
    const joint = request.target.includes('?') ? '&' : '?';
    return { ...request, target: `${request.target}${joint}${encodeURIComponent(drawFrom(random, names))}=${written}` };
  },
  (request, random) => {
    const value = textOf(drawFrom(random, hostileValues));
    const written = encodeURIComponent(value.isWellFormed() ? value : 'x').slice(0, 4_000);
    return { ...request, target: request.target.replace(/[^/?]+(?=\?|$)/, written) };
  },
  (request, random) => ({ ...request, method: drawFrom(random, methods) }),
];
