import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, validationError } from '../api-error.js';
import { errorAnswer } from './response.js';

/** What is wrong with bytes that the HTTP parser refused: oversized headers, a request that took too long or broke off, or nonsense. */
export function clientFault(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError({ code: 'REQUEST_HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError({ code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' });
  }
  if (code === 'HPE_INVALID_EOF_STATE') {
    return new ApiError({ code: 'REQUEST_TIMEOUT', message: 'The request did not arrive whole.' });
  }
  return validationError([{ path: '', code: 'INVALID_FORMAT', message: 'This is not a well-formed HTTP request.' }]);
}

/** CONNECT asks for a tunnel; this is not a proxy. */
export function tunnelFault(): ApiError {
  return new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: 'This server makes no tunnels.',
    headers: { Allow: 'GET' },
  });
}

/** An Expect other than 100-continue. */
export function expectationFault(): ApiError {
  return validationError([
    { path: 'header.Expect', code: 'INVALID_FORMAT', message: 'Send "Expect: 100-continue" or leave the header out.' },
  ]);
}

/** A request line without a target that can be read, or not exactly the one Host header that HTTP/1.1 demands. */
export function targetFault(): ApiError {
  return validationError([
    { path: '', code: 'INVALID_FORMAT', message: 'Send a path from the root as the target, and one Host header.' },
  ]);
}

/** A transfer coding besides `chunked`. To pass it by would be to read something else than was sent. */
export function codingFault(): ApiError {
  return validationError([
    { path: 'header.Transfer-Encoding', code: 'INVALID_FORMAT', message: 'Send the body as it is, or chunked.' },
  ]);
}

/** Writes the envelope of a fault by hand, where there is no response to write it to, and closes the connection. */
export function closeWithFault(socket: Duplex, fault: ApiError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const answer = errorAnswer(fault, requestId);
  const body = JSON.stringify(answer.body);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store, no-transform',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  // Without the second end the connection would stay until the client closes its side too.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
