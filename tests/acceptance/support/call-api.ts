import type { Shown } from './terminal.js';

/** An answer of the API, as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Shown;
  readonly meta: Shown;
  readonly error: Shown;
}

/** What curl would be told; headers are spelled out, because they are what the tests are about. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes one call: `POST /v1/financial/movements`. */
export type Call = (methodAndPath: string, options?: CallOptions) => Promise<Answer>;

/**
 * Gives calls to one server, as anybody who has only HTTP makes them.
 * @param headers sent with each call, such as the bearer and the tracker
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
