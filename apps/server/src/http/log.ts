import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../api-error.js';

/** The log of requests: an allow-list of fields, never headers, bodies, query strings or secrets. */
export interface RequestLog {
  finished(entry: FinishedRequest): void;
  /** Tells why a request was refused or failed; the stack only of what is a fault of ours. */
  failure(entry: { requestId: string; status: number; error: unknown }): void;
}

interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  /** Null where the client left before the answer began. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Only where the client left before the answer had gone out whole. */
  readonly aborted?: true;
}

/** The request log over a pino logger. */
export function createRequestLog(logger: Logger): RequestLog {
  return {
    finished: (entry) => logger.info(entry, 'request'),
    failure({ requestId, status, error }) {
      if (error instanceof ApiError && status < 500) {
        logger.debug({ requestId, code: error.code, reason: error.internalReason }, 'refused');
        return;
      }
      logger.error({ requestId, status, reason: describe(error) }, 'failed');
    },
  };
}

/** Logs each answer with the route's template. */
export function logRequest(log: RequestLog) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.on('close', () => {
      log.finished({
        requestId: response.locals.requestId as string,
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

/**
 * An error without what it may carry: a database error's message can quote a value, so only its SQLSTATE and constraint
 * are told, with the stack's places.
 */
function describe(error: unknown): unknown {
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
    cause: error.cause === undefined ? undefined : describe(error.cause),
  };
}

/** The template of the route that answered; an unknown path may hold anything and is not told to logs or metrics. */
export function routeTemplate(request: Request, response: Response): string {
  const matched = (request.route as { path?: unknown } | undefined)?.path;
  const template = response.locals.route ?? matched;
  return typeof template === 'string' ? template : 'unmatched';
}
