import { drawBelow, drawFrom } from '../draw.js';
import type { SeededRandom } from '../seeded-random.js';
import { chunked, framed, last, whole } from './frame-request.js';
import type { WireRequest } from './wire-request.js';

/** Returns a faulty request: either all its bytes, which the caller may split at random, or the pieces to send. */
export type RequestFault = (request: WireRequest, random: SeededRandom) => Buffer | readonly Buffer[];

const inChunks = 'Transfer-Encoding: chunked';
const ofLength = (length: number | string) => `Content-Length: ${length}`;

/**
 * Requests with an ambiguous, invalid or unusual length. Attackers use an ambiguous length for request smuggling.
 * @source RFC 9112, sections 6 and 7
 */
export const framingFaults: Readonly<Record<string, RequestFault>> = {
  'both lengths': (request, random) => {
    const lines = drawFrom(random, [
      [ofLength(4), inChunks],
      [inChunks, ofLength(4)],
      [inChunks, ofLength(request.body.length)],
    ]);
    return framed(request, lines, `${chunked(request.body)}${last(request)}`);
  },
  'two lengths': (request, random) => {
    const { length } = request.body;
    const lines = drawFrom(random, [
      [ofLength(0), ofLength(length)],
      [ofLength(`${length}, ${length}`)],
      [ofLength(length), `content-length: ${length}`],
    ]);
    return framed(request, lines, request.body);
  },
  'an invalid length': (request, random) => {
    const length = drawFrom(random, ['-1', '+5', '0x10', '1e3', '5 5', '', '99999999999999999999', 'NaN', '5;']);
    return framed(request, [ofLength(length)], request.body);
  },
  'an invalid transfer coding': (request, random) => {
    const codings = [
      'xchunked',
      'chunked, identity',
      'identity',
      'gzip, chunked',
      'chunked, chunked',
      ' chunked',
      '',
      '"chunked"',
    ];
    return framed(
      request,
      [`Transfer-Encoding: ${drawFrom(random, [...codings, 'Chunked\x0b'])}`],
      chunked(request.body),
    );
  },
  'a coding hidden in a header': (request, random) => {
    const lines = drawFrom(random, [
      [`X: y\n${inChunks}`, ofLength(5)],
      ['Transfer-Encoding : chunked'],
      ['Transfer-Encoding: x', inChunks],
      ['X: y', ` ${inChunks}`, ofLength(5)],
    ]);
    return framed(request, lines, chunked(request.body));
  },
  'an invalid chunk': (request, random) => {
    const body = drawFrom(random, [
      `zz\r\n${request.body}\r\n0\r\n\r\n`,
      `-1\r\n${request.body}\r\n0\r\n\r\n`,
      `fffffffffffffffff\r\n${request.body}`,
      `0x5\r\n${request.body}\r\n0\r\n\r\n`,
      `5 ;a=b\r\n${request.body}\r\n0\r\n\r\n`,
      `5;${'x'.repeat(20_000)}\r\n${request.body}`,
      `2\r\n${request.body}`,
      `0\r\n${last(request)}`,
      `0\r\nX-Trailer: y\r\n${ofLength(3)}\r\n\r\n${last(request)}`,
      chunked(request.body).replaceAll('\r\n', '\n'),
    ]);
    return framed(request, [inChunks], body);
  },
  'a body in one-byte chunks': (request) => [
    framed(request, [inChunks], ''),
    ...[...request.body].map((byte) => Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')])),
    Buffer.from('0\r\n\r\n'),
  ],
  'a body that does not come whole': (request, random) =>
    framed(request, [ofLength(request.body.length + 1 + drawBelow(random, 50))], request.body),
  'a body too large': (request, random) => {
    const body = ' '.repeat(drawFrom(random, [65_537, 200_000]));
    return random.hits(0.5)
      ? framed(request, [ofLength(body.length)], body)
      : framed(request, [inChunks], chunked(body));
  },
  'a request behind a request': (request, random) =>
    Buffer.concat([...Array.from({ length: 1 + drawBelow(random, 8) }, () => whole(request)), last(request)]),
  'garbage behind a request': (request, random) => {
    const garbage = Buffer.from(Array.from({ length: 40 }, () => drawBelow(random, 256)));
    return Buffer.concat([whole(request), garbage, last(request)]);
  },
};
