import type { WireRequest } from './wire-request.js';

/** Writes a request with header lines of one's own before its others; the last of its connection. */
export function framed(request: WireRequest, lines: readonly string[], body: Buffer | string): Buffer {
  return written(`${request.method} ${request.target} HTTP/1.1`, {
    lines: ['Host: localhost', 'Connection: close', ...lines, ...linesOf(request)],
    body,
  });
}

/** Writes a request as it should be; the last of its connection. */
export function last(request: WireRequest): Buffer {
  return framed(request, [`Content-Length: ${request.body.length}`], request.body);
}

/** Writes a request as it should be, behind which another may stand. */
export function whole(request: WireRequest): Buffer {
  const lines = ['Host: localhost', `Content-Length: ${request.body.length}`, ...linesOf(request)];
  return written(`${request.method} ${request.target} HTTP/1.1`, { lines, body: request.body });
}

/** Puts a start line, header lines and a body together, each character of a line as one byte. */
export function written(
  startLine: string,
  { lines, body = '' }: { readonly lines: readonly string[]; readonly body?: Buffer | string },
): Buffer {
  const head = [startLine, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

/** The headers of a request as lines. */
export function linesOf({ headers }: WireRequest): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** A body as one chunk and the end. */
export function chunked(body: Buffer | string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
