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
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly body: Buffer;
}

const singleHeaders = [
  headerNames.authorization,
  headerNames.idempotencyKey,
  headerNames.ifMatch,
  headerNames.trackerId,
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

async function collectBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) throw payloadTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // Nobody is left to hear it; it only must not count as a fault of the server.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw clientLeft();
    throw error;
  }
  return Buffer.concat(chunks);
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
