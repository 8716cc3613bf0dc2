import type { IncomingMessage } from 'node:http';
import { bodyBytesMax, headerNames } from '@centavo/contracts';
import { ApiError, validationError } from '../api-error.js';
import { announcesBody, untilBodyBreaks } from './broken-body.js';

/** A request as it came over the wire: its body read whole, nothing of it believed yet. */
export interface Incoming {
  readonly rawQuery: string;
  readonly authorization: string | undefined;
  readonly trackerHeader: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly readAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly body: Buffer;
}

const singleHeaders = [
  headerNames.authorization,
  headerNames.idempotencyKey,
  headerNames.ifMatch,
  headerNames.trackerId,
  headerNames.readAfter,
] as const;

/**
 * Reads a request whole, before a database connection is taken for it.
 * @throws VALIDATION_ERROR (400) when a header that may stand once stands twice: Node would join or drop them silently
 * @throws PAYLOAD_TOO_LARGE (413) beyond 64 KiB; the rest is not read
 * @throws VALIDATION_ERROR (400), REQUEST_TIMEOUT (408) when the body breaks off or does not come in time
 */
export async function readIncoming(request: IncomingMessage): Promise<Incoming> {
  const repeated = singleHeaders.filter((name) => (request.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  if (repeated.length > 0) {
    throw validationError(
      repeated.map((name) => ({
        path: `header.${name}`,
        code: 'REPEATED_PARAMETER',
        message: 'Send this header once.',
      })),
    );
  }
  const one = (name: string) => request.headersDistinct[name.toLowerCase()]?.[0];
  const all = (name: string) => request.headersDistinct[name.toLowerCase()]?.join(', ');
  const url = request.url ?? '';
  const questionMark = url.indexOf('?');
  return {
    rawQuery: questionMark === -1 ? '' : url.slice(questionMark + 1),
    authorization: one(headerNames.authorization),
    trackerHeader: one(headerNames.trackerId),
    idempotencyKey: one(headerNames.idempotencyKey),
    ifMatch: one(headerNames.ifMatch),
    ifNoneMatch: all(headerNames.ifNoneMatch),
    readAfter: one(headerNames.readAfter),
    contentType: all('Content-Type'),
    contentEncoding: all('Content-Encoding'),
    body: await readBody(request),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (!announcesBody(request)) return Buffer.alloc(0);
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw payloadTooLarge();
  return Promise.race([collectBody(request), untilBodyBreaks(request)]);
}

// By events, because an async iterator costs as much as reading the head does.
function collectBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyBytesMax) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      reject(payloadTooLarge());
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody is left to hear it; it only must not count as a fault of the server.
      reject(error.code === 'ECONNRESET' ? clientLeft() : error);
    });
  });
}

function clientLeft(): ApiError {
  return new ApiError({
    code: 'REQUEST_TIMEOUT',
    message: 'The body did not arrive whole.',
    internalReason: 'client closed the connection within the body',
  });
}

function payloadTooLarge(): ApiError {
  return new ApiError({
    code: 'PAYLOAD_TOO_LARGE',
    message: `Send a body of at most ${bodyBytesMax} bytes.`,
    details: { maxBytes: bodyBytesMax },
    // What is left of the body is not read, so the connection cannot serve another request.
    headers: { Connection: 'close' },
  });
}
