import { headerNames, pathOf, takesReadAfter } from '@centavo/contracts/calls';
import { UsageError } from '../errors/usage-errors.js';
import type { CallKind } from './attempt-outcome.js';
import type { CallRequest, CallShape, Query } from './call-request.js';
import { chooseIdempotencyKey } from './idempotency-key.js';
import type { Transport } from './transport.js';

/** The request that each attempt of a call sends. */
export interface BuiltRequest {
  readonly call: string;
  readonly callKind: CallKind;
  readonly method: string;
  readonly url: string;
  /** All headers except for `Authorization`, which each attempt adds. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
  readonly carriesToken: boolean;
  /** True if a successful response has the API's envelope. Paths outside the API, such as `/health/ready`, return no envelope. */
  readonly enveloped: boolean;
}

/** The headers that the option `headers` must not contain, each with the option that sets the header. Header names are in lower case. */
const optionOfHeader: ReadonlyMap<string, string> = new Map([
  [headerNames.authorization.toLowerCase(), 'token'],
  [headerNames.idempotencyKey.toLowerCase(), 'idempotencyKey'],
  [headerNames.trackerId.toLowerCase(), 'trackerId'],
]);

/**
 * Builds the request of a call. The body is serialized once, so that all attempts have the same bytes.
 * @throws UsageError for an invalid id, idempotency key or header
 */
export function buildRequest(transport: Transport, request: CallRequest): BuiltRequest {
  const { call, body, hasItemKeys = false, options = {} } = request;
  const query: Query = options.dryRun ? { ...request.query, dryRun: true } : { ...request.query };
  const isDryRun = String(query.dryRun) === 'true';
  const idempotencyKey = chooseIdempotencyKey({
    idempotency: hasItemKeys ? 'ignored' : call.idempotency,
    given: options.idempotencyKey,
    createKey: transport.createKey,
  });
  const isKeyed = idempotencyKey !== null || hasItemKeys;
  return {
    call: call.name,
    // A dry run changes nothing, so it may be repeated without an idempotency key.
    callKind: call.method === 'GET' || isDryRun ? 'read' : isKeyed ? 'keyed-write' : 'unkeyed-write',
    method: call.method,
    url: transport.root + pathFor(request) + queryFor(query),
    headers: headersFor(transport, request, idempotencyKey),
    body: body === undefined ? undefined : JSON.stringify(body),
    idempotencyKey,
    carriesToken: call.caller !== 'anyone',
    enveloped: call.base !== '' || call.path.startsWith('/v1/'),
  };
}

function pathFor({ call, pathParameters = {} }: CallRequest): string {
  for (const [name, value] of Object.entries(pathParameters)) {
    // An empty id would address the list instead of the record. The ids `.` and `..` would address another path.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new UsageError(`${name} must be an id: a string other than "", "." and ".."`);
    }
  }
  return pathOf(call, pathParameters);
}

function queryFor(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function headersFor(transport: Transport, request: CallRequest, idempotencyKey: string | null): Record<string, string> {
  const { call, body, etag, options = {} } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) setCallersHeader(headers, name, value);
  headers.set('accept', 'application/json');
  headers.set('user-agent', transport.userAgent);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const trackerId = trackerFor(call, options.trackerId, transport.trackerId);
  if (trackerId !== undefined) setHeader(headers, headerNames.trackerId, trackerId, 'trackerId');
  if (idempotencyKey !== null) headers.set(headerNames.idempotencyKey, idempotencyKey + (request.keySuffix ?? ''));
  // A replica serves the read only if it has reached this log position. Therefore the client reads its own writes.
  const { latest } = transport.readPosition;
  if (latest !== null && takesReadAfter(call) && !headers.has(headerNames.readAfter)) {
    headers.set(headerNames.readAfter, latest);
  }
  // A compressing proxy makes a strong ETag weak. The server compares only strong ETags. Removing `W/` restores the strong ETag.
  if (etag !== undefined) setHeader(headers, headerNames.ifMatch, etag.replace(/^W\//, ''), 'etag');
  return Object.fromEntries(headers);
}

/**
 * Returns the tracker id that the client sends with a call, or undefined if it sends none. If the options of the call have no
 * `trackerId`, operations that require a tracker use the `trackerId` of the client. Operations with an optional tracker, such as
 * `listTrackers` and `setActiveTracker`, do not use it. Therefore, a user who has left the client's tracker can still choose another one.
 */
function trackerFor(call: CallShape, given: string | undefined, ofClient: string | undefined): string | undefined {
  if (call.tracker === 'none' || call.tracker === 'path') return undefined;
  return call.tracker === 'required' ? (given ?? ofClient) : given;
}

function setCallersHeader(headers: Headers, name: string, value: string): void {
  const option = optionOfHeader.get(name.toLowerCase());
  if (option !== undefined) {
    throw new UsageError(
      `The SDK sets the header ${name} from the option \`${option}\`. Leave the header out of \`headers\`.`,
    );
  }
  setHeader(headers, name, value, `headers: the name or the value of ${JSON.stringify(name)}`);
}

function setHeader(headers: Headers, name: string, value: string, label: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The error of `Headers` is replaced, because its message contains the value, which may be a secret.
    throw new UsageError(`${label} has characters that a header cannot contain. Remove these characters.`);
  }
}
