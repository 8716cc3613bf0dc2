import { drawBelow, drawFrom } from '../draw.js';
import type { SeededRandom } from '../seeded-random.js';
import { framingFaults, type RequestFault } from './broken-framing.js';
import { framed, joinRequest, last, linesOf } from './frame-request.js';
import type { WireRequest } from './wire-request.js';

/** The data that a client sends: its pieces, and whether the client then ends its side of the connection. */
export interface Conversation {
  readonly fault: string;
  readonly pieces: readonly Buffer[];
  readonly endsAfterwards: boolean;
}

/** Returns a valid request as abnormal HTTP, for example with an ambiguous length, with unusual line breaks, or split at random. */
export function breakConversation(request: WireRequest, random: SeededRandom): Conversation {
  const [fault, apply] = drawFrom(random, faults);
  const output = apply(request, random);
  const pieces = Buffer.isBuffer(output) ? splitRandomly(output, random) : output;
  return { fault, pieces, endsAfterwards: random.hits(0.9) };
}

const randomBytes = (random: SeededRandom, count: number) =>
  Buffer.from(Array.from({ length: count }, () => drawBelow(random, 256)));
const commonLines = ['Host: localhost', 'Connection: close'] as const;

const faults = Object.entries<RequestFault>({
  ...framingFaults,
  'garbage alone': (_, random) => randomBytes(random, 1 + drawBelow(random, 600)),
  'a zero byte': (request, random) => {
    const bytes = last(request);
    const at = drawBelow(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.of(0), bytes.subarray(at)]);
  },
  'a byte changed': (request, random) => {
    const bytes = last(request);
    bytes[drawBelow(random, bytes.length)] = drawBelow(random, 256);
    return bytes;
  },
  'a letter cut in two': (request) => {
    const body = Buffer.from('{"name":"é💶é"}');
    const head = framed(request, [`Content-Length: ${body.length}`], '');
    return [head, ...[...body].map((byte) => Buffer.of(byte))];
  },
  'half a letter': (request) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xf0, 0x9f, 0x92), Buffer.from('"}')]);
    return framed(request, [`Content-Length: ${body.length}`], body);
  },
  'lines that end oddly': (request, random) => {
    const lineEnd = drawFrom(random, ['\n', '\r', '\n\r', '\r\r\n', '\r\n\r\n']);
    return Buffer.from(last(request).toString('latin1').replaceAll('\r\n', lineEnd), 'latin1');
  },
  'an invalid start line': (request, random) =>
    joinRequest(drawFrom(random, startLines(request.target)), { lines: [...commonLines, ...linesOf(request)] }),
  'invalid headers': (request, random) => framed(request, [drawFrom(random, malformedLines)], ''),
  'many headers': (request, random) => {
    const count = drawFrom(random, [100, 1_999, 2_001, 4_000]);
    const lines = Array.from({ length: count }, () => 'a:');
    return framed(request, [...lines, `Content-Length: ${request.body.length}`], request.body);
  },
  'a header twice': (request, random) => {
    const [name, value] = drawFrom(random, request.headers);
    const again = `${name}: ${drawFrom(random, [value, 'x', ''])}`;
    return framed(request, [`Content-Length: ${request.body.length}`, again], request.body);
  },
  'no host, or two': ({ method, target, ...request }, random) => {
    const hosts = drawFrom(random, [[], ['Host: a', 'Host: b'], ['Host:'], ['Host: a b'], ['Host: a', 'host: a']]);
    const lines = [...hosts, 'Connection: close', ...linesOf({ method, target, ...request })];
    return joinRequest(`${method} ${target} HTTP/1.1`, { lines });
  },
  'only a beginning': (request, random) => {
    const bytes = last(request);
    return bytes.subarray(0, 1 + drawBelow(random, bytes.length - 1));
  },
});

const startLines = (target: string) => [
  `GET ${target}`,
  `GET ${target} HTTP/0.9`,
  `GET ${target} HTTP/1.2`,
  `GET ${target} HTTP/2.0`,
  `GET  ${target}  HTTP/1.1`,
  `get ${target} HTTP/1.1`,
  `G\u0000T ${target} HTTP/1.1`,
  'GET http://[::1 HTTP/1.1',
  `GET http://localhost${target} HTTP/1.1`,
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT localhost:1 HTTP/1.1',
  `GET ${target}#x HTTP/1.1`,
  `GET ${target.replaceAll('/', '\\')} HTTP/1.1`,
  'PRI * HTTP/2.0',
  `GET /${'x'.repeat(20_000)} HTTP/1.1`,
  `${'X'.repeat(20_000)} / HTTP/1.1`,
  '',
];

const malformedLines = [
  ...[': x', 'X Y: z', 'X: \u0001', 'X:: y', 'é: x', 'X', ' X: y', `X: ${'y'.repeat(20_000)}`],
  ...[
    'Expect: 100-continue',
    'Expect: 200-ok',
    'Connection: Authorization',
    'Connection: upgrade\r\nUpgrade: websocket',
  ],
];

/** Returns the bytes in one piece, or splits them at random. */
function splitRandomly(bytes: Buffer, random: SeededRandom): Buffer[] {
  if (!random.hits(0.3)) return [bytes];
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + drawBelow(random, Math.ceil(bytes.length / 4));
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
