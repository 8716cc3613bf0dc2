import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../api-error.js';

/** The log of requests. It contains only the fields of an allow-list: no headers, bodies, query strings or secrets. */
export interface RequestLog {
  finished(entry: FinishedRequest): void;
  /** Logs why a request was refused or failed, with the stack for server errors only. */
  failure(entry: { requestId: string; status: number; error: unknown } & TraceField): void;
}

/**
 * The field that links a log line to a trace.
 * @source OpenTelemetry, Trace context in non-OTLP log formats
 */
interface TraceField {
  /** Absent if the request has no trace. */
  readonly trace_id?: string;
}

interface FinishedRequest extends TraceField {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  /** Null if the connection was closed before the response began. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Present if the connection was closed before the response was complete. */
  readonly aborted?: true;
}

/** Creates the request log on a pino logger. */
export function createRequestLog(logger: Logger): RequestLog {
  return {
    finished: (entry) => logger.info(entry, 'request'),
    failure({ status, error, ...ids }) {
      if (error instanceof ApiError && status < 500) {
        logger.debug({ ...ids, code: error.code, reason: error.internalReason }, 'refused');
        return;
      }
      logger.error({ ...ids, status, reason: describeFailure(error) }, 'failed');
    },
  };
}

/** Returns middleware that logs each request when its response is closed. */
export function logRequest(log: RequestLog) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.on('close', () => {
      log.finished({
        requestId: response.locals.requestId as string,
        ...traceField(response),
        method: request.method,
        route: routeTemplate(request, response),
        status: response.headersSent ? response.statusCode : null,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(response.writableFinished ? {} : { aborted: true }),
      });
    });
    next();
  };
}

/** Returns the field that links a log line to the trace of its request. */
export function traceField(response: Response): TraceField {
  const traceId = response.locals.traceId as string | undefined;
  return traceId === undefined ? {} : { trace_id: traceId };
}

/**
 * Returns the parts of an error that may be logged. Omits the message, because a database error can quote a value. SQLSTATE, constraint and
 * stack frames are safe.
 */
export function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return 'not an error';
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    name: error.name,
    code: typeof code === 'string' ? code : undefined,
    constraint: typeof constraint === 'string' ? constraint : undefined,
    internalReason: error instanceof ApiError ? error.internalReason : undefined,
    at: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8),
    cause: error.cause === undefined ? undefined : describeFailure(error.cause),
  };
}

/** The template that is reported for a request that matches no route. */
export const unmatchedRoute = 'unmatched';

/**
 * Returns the template of the matched route, or {@link unmatchedRoute} if no route matched. An unknown path may contain anything, so logs
 * and metrics omit it.
 */
export function routeTemplate(request: Request, response: Response): string {
  const matched = (request.route as { path?: unknown } | undefined)?.path;
  const template = response.locals.route ?? matched;
  return typeof template === 'string' ? template : unmatchedRoute;
}
