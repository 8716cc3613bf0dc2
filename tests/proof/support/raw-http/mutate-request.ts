import { hostileValues } from '../../../../apps/server/test-support/hostile-values.js';
import { drawBelow, drawFrom } from '../draw.js';
import type { Chance } from '../seeded-chance.js';
import type { WireRequest } from './wire-request.js';

type Mutation = (request: WireRequest, chance: Chance) => WireRequest;

/** Applies one to three mutations to a request. */
export function mutateRequest(request: WireRequest, chance: Chance): WireRequest {
  let mutated = request;
  for (let changes = 1 + drawBelow(chance, 3); changes > 0; changes -= 1)
    mutated = drawFrom(chance, mutations)(mutated, chance);
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
  (change: (text: string, chance: Chance) => Buffer | string): Mutation =>
  (request, chance) => {
    const body = change(request.body.toString('latin1'), chance);
    return { ...request, body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body };
  };

/** Mutates the fields of a JSON body; leaves a malformed body unchanged. */
const changeFields =
  (change: (fields: Record<string, unknown>, chance: Chance) => unknown): Mutation =>
  (request, chance) => {
    try {
      const fields = JSON.parse(request.body.toString());
      if (fields === null || typeof fields !== 'object') return request;
      return { ...request, body: Buffer.from(JSON.stringify(change(fields, chance)) ?? '') };
    } catch {
      return request;
    }
  };

const fieldOf = (fields: object, chance: Chance) =>
  drawFrom(chance, ['x', ...Object.keys(fields), ...Object.keys(fields)]);

const mutations: readonly Mutation[] = [
  changeFields((fields, chance) => ({ ...fields, [fieldOf(fields, chance)]: drawFrom(chance, hostileValues) })),
  changeFields((fields, chance) => ({ ...fields, [fieldOf(fields, chance)]: drawFrom(chance, hostileValues) })),
  changeFields((fields, chance) => ({ ...fields, [fieldOf(fields, chance)]: undefined })),
  changeFields((fields, chance) => ({
    ...fields,
    [textOf(drawFrom(chance, hostileValues))]: drawFrom(chance, hostileValues),
  })),
  changeFields((fields, chance) => drawFrom(chance, [[fields], JSON.stringify(fields), { data: fields }, null, 7])),
  // Repeats the first member of the JSON object, which no JSON library does.
  changeBody((text) => text.replace('{', `{${text.slice(1, text.indexOf(',') + 1)}`)),
  changeBody((text, chance) =>
    text.replace('{', `{"__proto__":${JSON.stringify(drawFrom(chance, hostileValues)) ?? 1},`),
  ),
  changeBody((text, chance) => text.slice(0, drawBelow(chance, text.length + 1))),
  changeBody((text, chance) => `${text}${drawFrom(chance, [' ', '\n', '{}', ',', '\u0000', '}', 'x'.repeat(70_000)])}`),
  changeBody(
    (text, chance) =>
      `${drawFrom(chance, ['\u00ef\u00bb\u00bf', '\u0000', '\u00ff\u00fe', '[', ")]}',\n", '/**/'])}${text}`,
  ),
  changeBody((_, chance) => '{"a":'.repeat(drawBelow(chance, 8_000))),
  changeBody(
    (_, chance) =>
      `{"amountDecimal":${drawFrom(chance, ['1e999', '-0', '01', '.5', '1'.repeat(5_000), 'NaN', '1_0'])}}`,
  ),
  changeBody((text, chance) => {
    const bytes = Buffer.from(text, 'latin1');
    if (bytes.length > 0) bytes[drawBelow(chance, bytes.length)] = drawBelow(chance, 256);
    return bytes;
  }),
  (request, chance) => ({
    ...request,
    headers: [...request.headers, [drawFrom(chance, headerNames), drawFrom(chance, headerValues)]],
  }),
  (request, chance) => {
    const at = drawBelow(chance, request.headers.length);
    const value = drawFrom(chance, headerValues);
    return { ...request, headers: request.headers.map(([name, old], index) => [name, index === at ? value : old]) };
  },
  (request, chance) => {
    const at = drawBelow(chance, request.headers.length);
    return { ...request, headers: request.headers.filter((_, index) => index !== at) };
  },
  (request, chance) => ({ ...request, target: request.target + encodeURI(drawFrom(chance, targets)) }),
  (request, chance) => {
    const value = textOf(drawFrom(chance, hostileValues));
    const written = encodeURIComponent(value.isWellFormed() ? value : '%ZZ').slice(0, 8_000);
    const joint = request.target.includes('?') ? '&' : '?';
    return { ...request, target: `${request.target}${joint}${encodeURIComponent(drawFrom(chance, names))}=${written}` };
  },
  (request, chance) => {
    const value = textOf(drawFrom(chance, hostileValues));
    const written = encodeURIComponent(value.isWellFormed() ? value : 'x').slice(0, 4_000);
    return { ...request, target: request.target.replace(/[^/?]+(?=\?|$)/, written) };
  },
  (request, chance) => ({ ...request, method: drawFrom(chance, methods) }),
];
