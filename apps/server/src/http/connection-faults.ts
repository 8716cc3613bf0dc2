import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, validationError } from '../api-error.js';
import { errorAnswer } from './response.js';

/**
 * Returns the error to send when Node emits the event `clientError`: the headers of a request are too large, or the request is late,
 * incomplete or malformed.
 * @param code the code of Node's error
 */
export function clientFault(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError({
      code: 'REQUEST_HEADERS_TOO_LARGE',
      message: 'The headers of the request are too large. Send at most 16 KiB.',
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError({ code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time. Send it again.' });
  }
  if (code === 'HPE_INVALID_EOF_STATE') {
    return new ApiError({ code: 'REQUEST_TIMEOUT', message: 'The request is incomplete. Send it again.' });
  }
  return validationError([{ path: '', code: 'INVALID_FORMAT', message: 'This is not a well-formed HTTP request.' }]);
}

/** Returns the error for CONNECT, which requests a tunnel. */
export function tunnelFault(): ApiError {
  return new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: 'This server is not a proxy and does not support CONNECT.',
    headers: { Allow: 'GET' },
  });
}

/** Returns the error for an Expect header other than `100-continue`. */
export function expectationFault(): ApiError {
  return validationError([
    { path: 'header.Expect', code: 'INVALID_FORMAT', message: 'Send "Expect: 100-continue" or no Expect header.' },
  ]);
}

/** Returns the error for a malformed request target, and for a missing or repeated Host header. HTTP/1.1 requires exactly one. */
export function targetFault(): ApiError {
  return validationError([
    { path: '', code: 'INVALID_FORMAT', message: 'Send a request target that starts with "/", and one Host header.' },
  ]);
}

/** Returns the error for a transfer coding other than `chunked`. The server would misread a body in such a coding. */
export function codingFault(): ApiError {
  return validationError([
    { path: 'header.Transfer-Encoding', code: 'INVALID_FORMAT', message: 'Send the body unencoded or chunked.' },
  ]);
}

/** Writes an error envelope directly to a socket that has no response object, and closes the connection. */
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
  // Without destroy() the connection would stay half-open until the client closes its side.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
