import { context, propagation } from '@opentelemetry/api';
import { inClientSpan, markFailed } from '../../tracing.js';

/**
 * Sends a request in a span, and passes the trace on in the header `traceparent`. The span omits the query of the URL, because the
 * query may contain a secret.
 * @param request.fetch the function that sends the request
 * @returns the response, also if its status is 400 or higher; for such a status, the span is marked as an error
 * @source OpenTelemetry, Semantic conventions for HTTP spans 1.45
 */
export function tracedFetch(request: {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly init: RequestInit & { readonly method: string; readonly headers: Readonly<Record<string, string>> };
}): Promise<Response> {
  const { url, init } = request;
  const { origin, pathname, hostname, port, protocol } = new URL(url);
  const attributes = {
    'http.request.method': init.method,
    'url.full': origin + pathname,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return inClientSpan({ name: init.method, attributes }, async (span) => {
    const headers = { ...init.headers };
    propagation.inject(context.active(), headers);
    const response = await request.fetch(url, { ...init, headers });
    span.setAttribute('http.response.status_code', response.status);
    if (response.status >= 400) markFailed(span, String(response.status));
    return response;
  });
}
