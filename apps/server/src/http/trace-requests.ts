import { context, isSpanContextValid, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { markFailed, tracer } from '../tracing.js';
import { routeTemplate, unmatchedRoute } from './log.js';
import { namedMethods } from './metrics.js';

/**
 * Runs each request in a span of kind `server`, the child of the span that the header `traceparent` names. The span ends when the
 * response is closed. The span omits paths, query strings, addresses and user agents, because they contain ids or identify people.
 * The attribute `url.path` contains the route template instead of the path. Without an OpenTelemetry SDK, this middleware creates no span.
 * @source OpenTelemetry, Semantic conventions for HTTP spans 1.45
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  const parent = propagation.extract(context.active(), request.headers);
  const isNamed = namedMethods.has(request.method);
  const name = isNamed ? request.method : 'HTTP';
  const attributes = {
    'http.request.method': isNamed ? request.method : '_OTHER',
    'url.scheme': request.secure ? 'https' : 'http',
    'network.protocol.version': request.httpVersion,
  };
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) {
    next();
    return;
  }
  response.locals.traceId = spanContext.traceId;
  response.on('close', () => {
    const route = routeTemplate(request, response);
    if (route !== unmatchedRoute) {
      span.updateName(`${name} ${route}`);
      span.setAttributes({ 'http.route': route, 'url.path': route });
    }
    if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
    if (response.headersSent && response.statusCode >= 500) markFailed(span, String(response.statusCode));
    if (!response.writableFinished) markFailed(span, 'aborted');
    span.end();
  });
  context.with(trace.setSpan(parent, span), next);
}
