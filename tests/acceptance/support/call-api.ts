import type { Shown } from './terminal.js';

/** A response of the API. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Shown;
  readonly meta: Shown;
  readonly error: Shown;
}

/** The headers and the body of a request. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request, such as `POST /v1/financial/movements`. */
export type Call = (methodAndPath: string, options?: CallOptions) => Promise<Answer>;

/**
 * Returns a function that sends requests to one server.
 * @param headers sent with each request, such as the bearer token and the tracker
 */
export function callsTo(origin: string, headers: Readonly<Record<string, string>> = {}): Call {
  return async (methodAndPath, options = {}) => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...headers,
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const { data = null, meta = null, error = null } = JSON.parse((await response.text()) || '{}');
    return { status: response.status, headers: response.headers, data, meta, error };
  };
}
