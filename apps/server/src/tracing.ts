import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ApiError } from './api-error.js';
import { serverVersion } from './version.js';

/** The tracer of the server. Without an OpenTelemetry SDK its spans do nothing and have an invalid context. */
export const tracer = trace.getTracer('@centavo/server', serverVersion);

/**
 * Runs `work` in a span of kind `client`. The spans that `work` starts are children of this span. An `ApiError` does not mark the span
 * as an error, because it is an intended result, such as the refusal of a request. Attributes never contain data of users, such as an
 * amount, a name or an id.
 * @throws every error of `work`
 */
export function inClientSpan<Result>(
  { name, attributes }: { readonly name: string; readonly attributes: Attributes },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      if (!(error instanceof ApiError)) markFailed(span, errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * Marks a span as an error. Omits the error message, because the message of a database error can quote a value.
 * @param type the value of the attribute `error.type`: a status, a code or the name of a class
 */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the code of an error, such as an SQLSTATE, or the name of its class if it has no code; `_OTHER` if it is not an Error. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
