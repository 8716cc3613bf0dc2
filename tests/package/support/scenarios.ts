import type { IncomingHttpHeaders } from 'node:http';

/** A received request. */
export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly arrivedMs: number;
}

/** The reaction of the server: a response in the API's envelope, or a broken or silent connection. */
export type Answer =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly meta: object;
      readonly data: unknown;
    }
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly meta: object;
      readonly error: object;
    }
  | 'cut'
  | 'cut within the body'
  | 'silence';

/** Returns the response to the last received request. Refuses an unexpected request, so that the client's check fails. */
export type Scenario = (attempts: readonly Attempt[]) => Answer;

const apiVersion = 1;
const requestId = '01890000-0000-7000-8000-000000000001';
const movementId = '01890000-0000-7000-8000-00000000000a';

/** A second minus one millisecond, because timers of runtimes may fire up to a millisecond early. */
const retryAfterMsMin = 999;

export const scenarios: Readonly<Record<string, Scenario>> = {
  /** Records the first request, and replays its response for later requests with the same key. */
  'record-once': (attempts) => {
    const [first, latest] = firstAndLatest(attempts);
    if (latest.headers.authorization !== 'Bearer session-token') return refusal(401, 'AUTHENTICATION_REQUIRED');
    if (keyOf(latest) === undefined) return refusal(400, 'IDEMPOTENCY_KEY_REQUIRED');
    if (attempts.length === 1) return success(201, movement('recorded'), { headers: { etag: '"1"' } });
    if (!isSameWrite(first, latest)) return refusal(409, 'IDEMPOTENCY_KEY_REUSED');
    return success(200, movement('recorded'), { headers: { etag: '"1"' }, meta: { idempotentReplay: true } });
  },

  /** Responds with 429 and a Retry-After of one second, and refuses a retry that comes earlier. */
  'retry-after': (attempts) => {
    const [first, latest] = firstAndLatest(attempts);
    if (attempts.length === 1) return refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '1' } });
    const isPatient = latest.arrivedMs - first.arrivedMs >= retryAfterMsMin;
    return isPatient && isSameWrite(first, latest) ? success(201, movement('patient')) : mistake('came too early');
  },

  /** Cuts the connection before the response, then within the response, and then accepts the same write under the same key. */
  'connection-cut': (attempts) => {
    const [first, latest] = firstAndLatest(attempts);
    if (!isSameWrite(first, latest)) return mistake('another write');
    if (attempts.length === 1) return 'cut';
    if (attempts.length === 2) return 'cut within the body';
    return success(200, movement('recorded'), { meta: { idempotentReplay: true } });
  },

  /** Executes every write, and cuts the connection before the response. A list returns one row for each write. */
  'sent-once': (attempts) => {
    const [, latest] = firstAndLatest(attempts);
    if (latest.method === 'POST') return 'cut';
    const writes = attempts.filter(({ method }) => method === 'POST').map(() => movement('written'));
    return success(200, writes, { meta: { pagination: { limit: 50, hasMore: false, nextCursor: null } } });
  },

  /** Five rows on three pages. */
  pages: (attempts) => {
    const [, latest] = firstAndLatest(attempts);
    const rows = ['1', '2', '3', '4', '5'].map((description) => movement(description));
    const offset = Number(latest.query.get('cursor') ?? 0);
    const hasMore = offset + 2 < rows.length;
    const pagination = { limit: 2, hasMore, nextCursor: hasMore ? String(offset + 2) : null };
    return success(200, rows.slice(offset, offset + 2), { meta: { pagination } });
  },

  /** Another client changes the record before the first correction arrives: the version is "1" until then, and "2" afterwards. */
  versions: (attempts) => {
    const [, latest] = firstAndLatest(attempts);
    const corrections = attempts.filter(({ method }) => method === 'PATCH').length;
    const currentEtag = corrections === 0 ? '"1"' : '"2"';
    if (latest.method === 'GET') return success(200, movement('as it is'), { headers: { etag: currentEtag } });
    if (corrections === 1) return refusal(409, 'VERSION_CONFLICT', { details: { currentEtag: '"2"' } });
    if (latest.headers['if-match'] !== currentEtag) return mistake('not the ETag that was read');
    return success(200, movement('corrected'), { headers: { etag: '"3"' } });
  },

  /** Refuses `GET /movements/{status}` with that status. */
  refusals: (attempts) => {
    const [, latest] = firstAndLatest(attempts);
    const status = Number(latest.path.split('/').at(-1));
    const issues = [{ path: 'movementId', code: 'INVALID_FORMAT', message: 'It is not an id.' }];
    const codes: Readonly<Record<number, string>> = {
      400: 'VALIDATION_ERROR',
      401: 'STEP_UP_REQUIRED',
      404: 'NOT_FOUND',
    };
    const code = codes[status];
    // A response without an `error`, as a proxy may send it.
    if (code === undefined) return { status, meta: {}, data: null };
    return refusal(status, code, status === 400 ? { details: { issues } } : {});
  },

  silence: () => 'silence',
};

function firstAndLatest(attempts: readonly Attempt[]): readonly [Attempt, Attempt] {
  const [first] = attempts;
  const latest = attempts.at(-1);
  if (first === undefined || latest === undefined) throw new Error('A scenario needs at least one request.');
  return [first, latest];
}

function isSameWrite(first: Attempt, latest: Attempt): boolean {
  return keyOf(latest) !== undefined && keyOf(first) === keyOf(latest) && first.body === latest.body;
}

function keyOf({ headers }: Attempt): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
}

function movement(description: string) {
  return { id: movementId, type: 'expense', amountDecimal: '12.50', description };
}

function success(
  status: number,
  data: unknown,
  { headers = {}, meta = {} }: { readonly headers?: Record<string, string>; readonly meta?: object } = {},
): Answer {
  return { status, headers, data, meta: { apiVersion, requestId, trackerId: null, ...meta } };
}

function refusal(
  status: number,
  code: string,
  { headers = {}, details = {} }: { readonly headers?: Record<string, string>; readonly details?: object } = {},
): Answer {
  return { status, headers, error: { code, message: 'Refused.', details }, meta: { apiVersion, requestId } };
}

/** Returns the response to an unexpected request. This response fails the client's check. */
function mistake(message: string): Answer {
  return { status: 422, error: { code: 'UNEXPECTED_REQUEST', message, details: {} }, meta: { apiVersion, requestId } };
}
