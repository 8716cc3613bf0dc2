import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { bodyBytesMax, headerNames, type Issue, isUuid } from '@centavo/contracts';
import { ApiError, validationError } from '../api-error.js';

/** A request as it arrived, with its whole body. Nothing in it is validated. */
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
 * Reads a whole request, before the request uses a database connection.
 * @throws VALIDATION_ERROR (400) when a header that may occur only once is repeated; Node would silently join or drop the values
 * @throws PAYLOAD_TOO_LARGE (413) when the body is longer than 64 KiB; the rest is not read
 * @throws VALIDATION_ERROR (400) when the chunks of the body are malformed; REQUEST_TIMEOUT (408) when the body is incomplete or late
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
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw payloadTooLarge();
  return Promise.race([collectBody(request), untilBodyBreaks(request)]);
}

// Uses events, because leaving an async iterator early would destroy the socket before the 413 is sent.
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
      // The client has disconnected and reads no response. This error only avoids a log entry about a server error.
      reject(error.code === 'ECONNRESET' ? clientLeft() : error);
    });
  });
}

function clientLeft(): ApiError {
  return new ApiError({
    code: 'REQUEST_TIMEOUT',
    message: 'The body is incomplete. Send the request again.',
    internalReason: 'client closed the connection within the body',
  });
}

function payloadTooLarge(): ApiError {
  return new ApiError({
    code: 'PAYLOAD_TOO_LARGE',
    message: `Send a body of at most ${bodyBytesMax} bytes.`,
    details: { maxBytes: bodyBytesMax },
    // The rest of the body is not read, so the connection cannot serve another request.
    headers: { Connection: 'close' },
  });
}

// The first fault of each request whose body did not arrive completely. An AbortController for each request could store the fault instead,
// but the garbage collector would free the controllers late.
const faults = new WeakMap<IncomingMessage, ApiError>();
const broken = Symbol('the body broke');

/** Makes the current or next reader of a request's body fail. Called if the rest of the body will not arrive. Ignores later faults. */
export function breakBody(request: IncomingMessage, fault: ApiError): void {
  const first = faults.get(request) ?? fault;
  faults.set(request, first);
  request.emit(broken, first);
}

/**
 * Returns a promise that rejects with the fault that {@link breakBody} receives for the request. If `breakBody` was called earlier, the
 * promise rejects at once. After that call, the rest of the body never arrives, so a reader without this promise would wait forever.
 */
export function untilBodyBreaks(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const known = faults.get(request);
    if (known !== undefined) reject(known);
    request.once(broken, reject);
  });
}

/** Returns true if the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const entityTag = /^"[\x21\x23-\x7e]*"$/;

/**
 * Returns the strong entity tags of an If-Match header, or undefined if the header has no tag, or if a tag is weak, malformed or `*`. A
 * request that corrects or voids a record must name the version that the client fetched, and `*` names no version.
 * @source docs/contract.md, section 6
 */
export function parseIfMatch(header: string): readonly string[] | undefined {
  const tags = splitTags(header);
  return tags.length > 0 && tags.every((tag) => entityTag.test(tag)) ? tags : undefined;
}

/** Returns true if an If-None-Match header is `*` or contains `etag`, by the weak comparison of RFC 9110. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function splitTags(header: string): string[] {
  // A tag may contain a comma inside its quotes.
  return (header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** A parsed body, or the issue that explains why it cannot be parsed. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issue: Issue };

const depthMax = 16;

/**
 * Parses a request body: UTF-8, one JSON object, unique keys, no `__proto__`, at most 16 levels. With a duplicate key, two programs
 * could read different amounts from the same body.
 * @source docs/contract.md, section 1
 */
export function parseJson(body: Buffer): ParsedJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return malformed('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed('The body is not valid JSON.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return malformed('Send one JSON object as the body.');
  }
  const fault = findStructuralFault(text);
  if (fault !== undefined) return malformed(fault);
  return { ok: true, value: value as Record<string, unknown> };
}

function malformed(message: string): ParsedJson {
  return { ok: false, issue: { path: '', code: 'MALFORMED_JSON', message } };
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** Returns a message for excessive depth, a duplicate key or `__proto__`. `text` is valid JSON, so each colon token follows a key. */
function findStructuralFault(text: string): string | undefined {
  const levels: (Set<string> | null)[] = [];
  let lastString = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('"')) {
      lastString = token;
    } else if (token === '{' || token === '[') {
      levels.push(token === '{' ? new Set() : null);
      if (levels.length > depthMax) return `The body is nested deeper than ${depthMax} levels.`;
    } else if (token === '}' || token === ']') {
      levels.pop();
    } else if (token === ':') {
      const key = JSON.parse(lastString) as string;
      if (key === '__proto__') return 'The key "__proto__" is not allowed.';
      const keys = levels.at(-1);
      if (keys?.has(key)) return 'An object in the body contains the same key twice.';
      keys?.add(key);
    }
  }
  return undefined;
}

/**
 * Returns the IP address of the client: the address of the socket, or behind proxies the address that the outermost proxy saw. Each
 * proxy appends the address of its peer to X-Forwarded-For, so the client's address is the entry at position `proxyHops` from the
 * right. Clients can forge all entries to the left of this entry.
 * @returns an IP address, or an empty string if the socket is already closed
 * @source docs/contract.md, section 10
 */
export function clientAddress(request: IncomingMessage, proxyHops: number): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (proxyHops === 0) return socketAddress;
  const forwarded = (request.headersDistinct['x-forwarded-for'] ?? []).flatMap((line) => line.split(','));
  // With fewer entries than proxies, the request did not pass through the outermost proxy; the leftmost entry is then used. If the entry
  // is no IP address, the address of the socket is used.
  const entry = forwarded.slice(-proxyHops)[0] ?? '';
  const address = withoutPort(entry.trim());
  return isIP(address) === 0 ? socketAddress : address;
}

/** Returns an address without the port that some proxies add, as in `203.0.113.7:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/**
 * Returns path parameters with UUIDs in lower case, so that requests that differ only in the case of a UUID have the same fingerprint for
 * idempotency. Category ids are opaque and stay unchanged.
 */
export function lowerCaseIds(parameters: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.map(([name, value]) => [name, isUuid(value) ? value.toLowerCase() : value]));
}
