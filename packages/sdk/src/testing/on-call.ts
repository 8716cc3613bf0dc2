import { calls, type HttpMethod } from '@centavo/contracts/calls';
import { type HttpHandler, type HttpResponseResolver, http, type PathParams, type RequestHandlerOptions } from 'msw';

/** The contract's name of a call, such as `createMovement`. */
export type CallName = keyof typeof calls;

/**
 * An msw handler of one call of the API, on every origin. `resolve` answers as in msw: with a `Response`, such as
 * {@link successAnswer} and {@link errorAnswer} give, or with `HttpResponse.error()` for a lost connection. Given to
 * `server.use`, it goes before the handlers that are there; with `{ once: true }` for one request only.
 * @example
 * import { errorAnswer, onCall } from '@centavo/sdk/testing';
 * import { setupServer } from 'msw/node';
 *
 * const server = setupServer();
 * server.use(onCall('listBalances', () => errorAnswer('SERVICE_UNAVAILABLE'), { once: true }));
 */
export function onCall(
  name: CallName,
  resolve: HttpResponseResolver<PathParams<string>>,
  options: RequestHandlerOptions = {},
): HttpHandler {
  const { method, base, path } = calls[name];
  return methods[method](`*${base}${path.replace(/\{(\w+)\}/g, ':$1')}`, resolve, options);
}

const methods: Readonly<Record<HttpMethod, typeof http.get>> = {
  GET: http.get,
  POST: http.post,
  PUT: http.put,
  PATCH: http.patch,
  DELETE: http.delete,
};
