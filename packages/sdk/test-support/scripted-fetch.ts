import type { Clock } from '../src/transport/clock.js';

/** The scripted result of one attempt: a response, or a failure. */
export type Step =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'refused'
  | 'hang'
  | 'hang-in-body'
  | 'reset-in-body'
  | 'not-json'
  | 'no-envelope';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly atMs: number;
}

export const requestId = '01890000-0000-7000-8000-000000000001';

/** Returns a successful response in the API's envelope. */
export function success(data: unknown = {}, options: { status?: number; meta?: object; etag?: string } = {}): Step {
  return {
    status: options.status ?? 200,
    body: { data, meta: { apiVersion: 1, requestId, trackerId: null, ...options.meta } },
    ...(options.etag === undefined ? {} : { headers: { etag: options.etag } }),
  };
}

/** Returns an error response in the API's envelope. */
export function refusal(
  status: number,
  code: string,
  options: { details?: object; headers?: Record<string, string>; message?: string } = {},
): Step {
  const { details = {}, headers = {}, message = 'Refused.' } = options;
  return { status, headers, body: { error: { code, message, details }, meta: { apiVersion: 1, requestId } } };
}

/** Returns a `fetch` that gives each request the result of the next step. After the last step, it gives the result of that step again. */
export function scriptedFetch(clock: Clock, ...steps: readonly Step[]) {
  const sent: SentRequest[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers));
    sent.push({
      method: init.method ?? '',
      url,
      headers,
      body: init.body as string | undefined,
      atMs: clock.elapsedMs(),
    });
    return play(steps[sent.length - 1] ?? steps.at(-1) ?? 'reset');
  };
  return { fetch, sent };
}

function play(step: Step): Promise<Response> {
  switch (step) {
    case 'reset':
      return Promise.reject(networkError('ECONNRESET', 'read'));
    case 'refused':
      return Promise.reject(networkError('ECONNREFUSED', 'connect'));
    case 'hang':
      return new Promise(() => {});
    case 'hang-in-body':
      return Promise.resolve(answer(200, {}, () => new Promise(() => {})));
    case 'reset-in-body':
      return Promise.resolve(answer(200, {}, () => Promise.reject(networkError('ECONNRESET', 'read'))));
    case 'not-json':
      return Promise.resolve(answer(200, {}, async () => '<html>Sign in to the Wi-Fi</html>'));
    case 'no-envelope':
      return Promise.resolve(answer(200, {}, async () => '{"ok":true}'));
    default:
      return Promise.resolve(
        answer(step.status, step.headers ?? {}, async () =>
          typeof step.body === 'string' ? step.body : step.body === undefined ? '' : JSON.stringify(step.body),
        ),
      );
  }
}

function answer(status: number, headers: Readonly<Record<string, string>>, text: () => Promise<string>): Response {
  return { status, headers: new Headers(headers), text } as Response;
}

function networkError(code: string, syscall: string): Error {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}
