import { calls, type HttpMethod } from '@centavo/contracts/calls';
import { type HttpHandler, type HttpResponseResolver, http, type PathParams, type RequestHandlerOptions } from 'msw';

/** The name of an operation in the contracts, such as `createMovement`. */
export type CallName = keyof typeof calls;

/**
 * Returns an msw handler for one operation, for any host. `resolve` returns a `Response`, such as the result of {@link
 * successAnswer} or {@link errorAnswer}, or `HttpResponse.error()` for a lost connection. `server.use` puts the handler before
 * the existing handlers. With `{ once: true }`, the handler responds to only one request.
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
