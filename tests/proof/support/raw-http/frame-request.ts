import type { WireRequest } from './wire-request.js';

/** Returns the bytes of the last request of a connection, with `lines` before the headers of the request. */
export function framed(request: WireRequest, lines: readonly string[], body: Buffer | string): Buffer {
  return joinRequest(`${request.method} ${request.target} HTTP/1.1`, {
    lines: ['Host: localhost', 'Connection: close', ...lines, ...linesOf(request)],
    body,
  });
}

/** Returns the bytes of the last request of a connection. */
export function last(request: WireRequest): Buffer {
  return framed(request, [`Content-Length: ${request.body.length}`], request.body);
}

/** Returns the bytes of a request that other requests may follow. */
export function whole(request: WireRequest): Buffer {
  const lines = ['Host: localhost', `Content-Length: ${request.body.length}`, ...linesOf(request)];
  return joinRequest(`${request.method} ${request.target} HTTP/1.1`, { lines, body: request.body });
}

/** Returns the bytes of a start line, header lines and a body. Each character of a line is one byte. */
export function joinRequest(
  startLine: string,
  { lines, body = '' }: { readonly lines: readonly string[]; readonly body?: Buffer | string },
): Buffer {
  const head = [startLine, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

/** Returns the headers of a request as lines. */
export function linesOf({ headers }: WireRequest): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** Returns a body in chunked transfer coding: the whole body as one chunk, and the final chunk. */
export function chunked(body: Buffer | string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
