import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { jwksPath, routes } from '@centavo/contracts';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import helmet from 'helmet';
import { ApiError, methodNotAllowed, noSuchPath } from '../api-error.js';
import { createMessageClasses, type MessageClasses } from '../optimizations/message-classes.js';
import { codingFault, targetFault } from './connection-faults.js';
import type { ResponsesUnderWay } from './drain.js';
import type { AbsentEndpoint, Endpoint } from './endpoint.js';
import { serveOperation } from './handle-operation.js';
import { logRequest, type RequestLog, traceField } from './log.js';
import { type McpOptions, mountMcp } from './mcp/mcp-routes.js';
import type { Metrics } from './metrics.js';
import type { OperationServer } from './operation.js';
import { hasBody } from './request.js';
import { errorAnswer, sendJson } from './response.js';
import { docsRouter } from './routes/docs.js';
import { type Health, healthRouter } from './routes/health.js';
import { readOnlyRouter } from './routes/read-only.js';
import { traceRequests } from './trace-requests.js';

interface AppOptions {
  readonly endpoints: readonly (Endpoint | AbsentEndpoint)[];
  readonly server: OperationServer;
  /** The number of proxies in front of the server. */
  readonly proxyHops: number;
  readonly health: Health;
  readonly responses: ResponsesUnderWay;
  /** Null if this server has no MCP endpoints. */
  readonly mcp: McpOptions | null;
  /** The public keys of the embedded identity provider; null with an external issuer. */
  readonly jwks: (() => Promise<unknown>) | null;
  readonly log: RequestLog;
  readonly metrics: Metrics;
}

/**
 * Creates the Express app. For each request it assigns an id, records a trace, a log line and metrics, and sets security headers. It
 * serves the routes of the contract, MCP, health checks, the API description and public keys. Every other request gets an error envelope.
 * Also returns two classes, from which the HTTP server must create its request and response objects.
 */
export function createApp(options: AppOptions): {
  readonly listener: RequestListener;
  readonly messageClasses: MessageClasses;
} {
  const { log, metrics, jwks } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('strict routing');
  app.enable('case sensitive routing');

  app.use(assignRequestId);
  app.use(traceRequests);
  app.use(requireValidHead);
  app.use(logRequest(log));
  app.use(metrics.measure);
  app.use(helmet());
  app.use(followResponse(options.responses));
  // The most frequent paths come first, because Express tries the routers in order.
  const endpoints = mountOperations(app, options);
  if (options.mcp !== null) mountMcp(app, { ...options, ...options.mcp, endpoints });
  app.use(healthRouter(options.health));
  app.use(metrics.router, docsRouter({ hasIdentity: jwks !== null }));
  if (jwks !== null) app.use(jwksRouter(jwks));
  app.use(() => {
    throw noSuchPath();
  });
  app.use(sendError(log));
  // Express parses the request target before it runs any middleware. If parsing fails, Express calls the last argument of `app()`.
  const listener: RequestListener = (request, response) =>
    app(request as Request, response as Response, () => refuseTarget(response));
  return { listener, messageClasses: createMessageClasses(app) };
}

function assignRequestId(_request: Request, response: Response, next: NextFunction): void {
  response.locals.requestId = randomUUID();
  response.setHeader('X-Request-Id', response.locals.requestId as string);
  next();
}

/**
 * Refuses some requests that Node accepts: those with several Host headers, without a Host header (except in HTTP/1.0), or with a transfer
 * coding other than `chunked`.
 * @source RFC 9112, sections 3.2 and 6.1
 */
function requireValidHead(request: Request, _response: Response, next: NextFunction): void {
  const { host = [], 'transfer-encoding': codings = ['chunked'] } = request.headersDistinct;
  if (host.length > 1 || (host.length === 0 && request.httpVersion !== '1.0')) throw targetFault();
  if (codings.join().trim().toLowerCase() !== 'chunked') throw codingFault();
  next();
}

function followResponse(responses: ResponsesUnderWay) {
  return (_request: Request, response: Response, next: NextFunction) => {
    responses.follow(response);
    next();
  };
}

/**
 * Mounts the routes of the contract, except those that the configuration switches off. Returns the mounted endpoints by the name of
 * their operation. A mounted path returns 405 for a method that has no endpoint.
 * @throws Error if a route of the contract has no endpoint
 */
function mountOperations(app: Express, { endpoints, server, proxyHops }: AppOptions): ReadonlyMap<string, Endpoint> {
  const endpointsByName = new Map(endpoints.map((endpoint) => [endpoint.route.call.name, endpoint]));
  const present = new Map<string, Endpoint>();
  const methodsByPath = new Map<string, Map<string, Endpoint>>();
  for (const { call } of Object.values(routes)) {
    const path = (call.base + call.path).replace(/\{(\w+)\}/g, ':$1');
    const endpoint = endpointsByName.get(call.name);
    if (endpoint === undefined) throw new Error(`No endpoint serves ${call.name}, which the contract declares.`);
    if (endpoint.kind === 'absent') continue;
    present.set(call.name, endpoint);
    const methods = methodsByPath.get(path) ?? new Map<string, Endpoint>();
    methodsByPath.set(path, methods.set(call.method, endpoint));
  }
  for (const [path, methods] of methodsByPath) {
    app.all(path, async (request, response) => {
      response.locals.route = path;
      const endpoint = methods.get(request.method);
      if (endpoint === undefined) throw methodNotAllowed([...methods.keys()]);
      await serveOperation(server, { endpoint, request, response, proxyHops });
    });
  }
  return present;
}

function jwksRouter(jwks: () => Promise<unknown>): Router {
  return readOnlyRouter({
    [jwksPath]: async (_request, response) => sendJson(response, { status: 200, headers: {}, body: await jwks() }),
  });
}

function sendError(log: RequestLog) {
  return (error: unknown, request: Request, response: Response, next: NextFunction) => {
    const requestId = response.locals.requestId as string;
    const publicError = toPublicError(error);
    const answer = errorAnswer(publicError, requestId);
    log.failure({ requestId, ...traceField(response), status: answer.status, error: publicError });
    if (response.headersSent) {
      next(error);
      return;
    }
    // Without `Connection: close`, Node would read the rest of the request body, as slowly as the client sends it.
    if (!request.complete && hasBody(request)) response.setHeader('Connection', 'close');
    sendJson(response, answer);
  };
}

/** Returns the error for the client. Express's error for a path with malformed percent-encoding becomes a 404. */
function toPublicError(error: unknown): unknown {
  return error instanceof ApiError || (error as { status?: unknown }).status !== 400 ? error : noSuchPath();
}

function refuseTarget(response: ServerResponse): void {
  const requestId = randomUUID();
  response.setHeader('X-Request-Id', requestId);
  sendJson(response, errorAnswer(targetFault(), requestId));
}
