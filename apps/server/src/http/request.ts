import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { bodyBytesMax, headerNames, type Issue } from '@centavo/contracts';
import { ApiError, validationError } from '../api-error.js';

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

// Neither an AbortController nor a place in a table for each request with a body: what comes and goes in them is freed late
// (decision 0028). Only those that broke are remembered.
const faults = new WeakMap<IncomingMessage, ApiError>();
const broken = Symbol('the body broke');

/** Tells whoever reads the body of a request, now or later, that the rest of it does not come; the first fault counts. */
export function breakBody(request: IncomingMessage, fault: ApiError): void {
  const first = faults.get(request) ?? fault;
  faults.set(request, first);
  request.emit(broken, first);
}

/** Rejects with the fault when the body of a request breaks. Node itself would let its reader wait for ever. */
export function untilBodyBreaks(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const known = faults.get(request);
    if (known !== undefined) reject(known);
    request.once(broken, reject);
  });
}

/** Whether the head of a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const entityTag = /^"[\x21\x23-\x7e]*"$/;

/**
 * The strong entity tags of an If-Match header, or undefined where one is weak, malformed or `*`: a correction names the
 * version that was fetched. Source: contract, section 6.
 */
export function parseIfMatch(header: string): readonly string[] | undefined {
  const tags = splitTags(header);
  return tags.length > 0 && tags.every((tag) => entityTag.test(tag)) ? tags : undefined;
}

/** Whether an If-None-Match header names `etag`, weakly compared as RFC 9110 asks. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function splitTags(header: string): string[] {
  // A tag may hold a comma inside its quotes.
  return (header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** A parsed body, or the one issue that says why it is none. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issue: Issue };

const depthMax = 16;

/**
 * Parses a request body: UTF-8, one JSON object, no key twice, no `__proto__`, at most 16 levels.
 * Two keys of one name would let two readers of one body see two amounts. Source: contract, section 1.
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

/** Walks text that JSON.parse has accepted, so brackets are known to match and keys to stand before colons. */
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
      if (keys?.has(key)) return 'A key stands twice in one object of the body.';
      keys?.add(key);
    }
  }
  return undefined;
}

/**
 * The address that a request came from: the socket's, or behind proxies the one that the outermost of them saw. Each
 * proxy appends whom it heard from to X-Forwarded-For, so with `proxyHops` of them that is the entry so many from the
 * right; what stands left of it anybody can write. Source: contract, section 10
 * @returns an IP address, or an empty text when the socket is closed already
 */
export function clientAddress(request: IncomingMessage, proxyHops: number): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (proxyHops === 0) return socketAddress;
  const forwarded = (request.headersDistinct['x-forwarded-for'] ?? []).flatMap((line) => line.split(','));
  // Fewer entries than proxies: the request came in further inside, and the leftmost is the furthest that is known.
  const entry = forwarded.slice(-proxyHops)[0] ?? '';
  const address = withoutPort(entry.trim());
  return isIP(address) === 0 ? socketAddress : address;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
