import { randomUUID } from 'node:crypto';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { isUuid, jwksPath, routes } from '@centavo/contracts';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import helmet from 'helmet';
import { ApiError, methodNotAllowed, noSuchPath } from '../api-error.js';
import { codingFault, targetFault } from './connection-faults.js';
import type { ResponsesUnderWay } from './drain.js';
import type { AbsentEndpoint, Endpoint } from './endpoint.js';
import { handleOperation } from './handle-operation.js';
import { logRequest, type RequestLog } from './log.js';
import type { Metrics } from './metrics.js';
import type { OperationServer } from './operation.js';
import { announcesBody, clientAddress, readIncoming } from './request.js';
import { errorAnswer, sendJson } from './response.js';
import { docsRouter, errorPagesRouter, openApiRouter } from './routes/docs.js';
import { type Health, healthRouter } from './routes/health.js';
import { readOnlyRouter } from './routes/read-only.js';

/**
 * The corridor on one screen: request id, log, metrics, security headers, health, self-description, the routes of the
 * contract, and an envelope for everything else. The server is to make its requests and responses of the app's classes.
 */
export function createApp(house: {
  readonly endpoints: readonly (Endpoint | AbsentEndpoint)[];
  readonly server: OperationServer;
  /** How many proxies stand in front. */
  readonly proxyHops: number;
  readonly health: Health;
  readonly responses: ResponsesUnderWay;
  /** The public keys of the embedded provider; null where an external issuer signs. */
  readonly jwks: (() => Promise<unknown>) | null;
  readonly log: RequestLog;
  readonly metrics: Metrics;
}): { readonly listener: RequestListener; readonly messages: Messages } {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('strict routing');
  app.enable('case sensitive routing');

  app.use(assignRequestId);
  app.use(requireSoundHead);
  app.use(logRequest(house.log));
  app.use(house.metrics.measure);
  app.use(securityHeaders());
  app.use(followResponse(house.responses));
  // First what is asked most: every router before it would be asked whether it knows the path.
  mountRoutes(app, house);
  app.use(healthRouter(house.health));
  app.use(house.metrics.router, openApiRouter({ hasIdentity: house.jwks !== null }), docsRouter(), errorPagesRouter());
  if (house.jwks !== null) app.use(jwksRouter(house.jwks));
  app.use(() => {
    throw noSuchPath();
  });
  app.use(sendError(house.log));
  // Express looks at the target before any of this, and hands what it cannot parse straight to the end.
  const listener: RequestListener = (request, response) =>
    app(request as Request, response as Response, () => refuseTarget(response));
  return { listener, messages: messagesOf(app) };
}

function refuseTarget(response: ServerResponse): void {
  const requestId = randomUUID();
  response.setHeader('X-Request-Id', requestId);
  sendJson(response, errorAnswer(targetFault(), requestId));
}

function assignRequestId(_request: Request, response: Response, next: NextFunction): void {
  response.locals.requestId = randomUUID();
  response.setHeader('X-Request-Id', response.locals.requestId as string);
  next();
}

/** Refuses what HTTP tells to refuse, and Node lets pass. Source: RFC 9112, sections 3.2 and 6.1 */
function requireSoundHead(request: Request, _response: Response, next: NextFunction): void {
  const { host = [], 'transfer-encoding': codings = ['chunked'] } = request.headersDistinct;
  if (host.length > 1 || (host.length === 0 && request.httpVersion !== '1.0')) throw targetFault();
  if (codings.join().trim().toLowerCase() !== 'chunked') throw codingFault();
  next();
}

/** The headers of helmet. They are the same for every answer, so its dozen handlers run once, and not for each. */
function securityHeaders() {
  const headers: (readonly [string, string])[] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => {},
  };
  helmet()({} as Request, recorder as unknown as Response, (error) => {
    if (error !== undefined) throw error;
  });
  return (_request: Request, response: Response, next: NextFunction) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function followResponse(responses: ResponsesUnderWay) {
  return (_request: Request, response: Response, next: NextFunction) => {
    responses.follow(response);
    next();
  };
}

/**
 * Mounts every route of the contract; a known path answers another method with 405.
 * @throws Error at start when a route has no endpoint: what the contract declares is served
 */
function mountRoutes(
  app: Express,
  house: { endpoints: readonly (Endpoint | AbsentEndpoint)[]; server: OperationServer; proxyHops: number },
): void {
  const served = new Map(house.endpoints.map((endpoint) => [endpoint.route.call.name, endpoint]));
  const methodsByPath = new Map<string, Map<string, Endpoint>>();
  for (const { call } of Object.values(routes)) {
    const path = (call.base + call.path).replace(/\{(\w+)\}/g, ':$1');
    const endpoint = served.get(call.name);
    if (endpoint === undefined) throw new Error(`The contract declares ${call.name}, but no endpoint serves it.`);
    if (endpoint.kind === 'absent') continue;
    const methods = methodsByPath.get(path) ?? new Map<string, Endpoint>();
    methodsByPath.set(path, methods.set(call.method, endpoint));
  }
  for (const [path, methods] of methodsByPath) {
    app.all(path, async (request, response) => {
      response.locals.route = path;
      const endpoint = methods.get(request.method);
      if (endpoint === undefined) throw methodNotAllowed([...methods.keys()]);
      const requestId = response.locals.requestId as string;
      const pathParameters = lowerCaseIds(request.params as Record<string, string>);
      const incoming = await readIncoming(request);
      const address = clientAddress(request, house.proxyHops);
      const announce = (headers: Readonly<Record<string, string>>) => setHeaders(response, headers);
      const operation = { endpoint, incoming, pathParameters, requestId, address, announce };
      sendJson(response, await handleOperation(house.server, operation));
    });
  }
}

function jwksRouter(jwks: () => Promise<unknown>): Router {
  return readOnlyRouter({
    [jwksPath]: async (_request, response) => sendJson(response, { status: 200, headers: {}, body: await jwks() }),
  });
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Two spellings of one id are one id, also in a fingerprint. Category ids are opaque and stay as they are. */
function lowerCaseIds(parameters: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.map(([name, value]) => [name, isUuid(value) ? value.toLowerCase() : value]));
}

function sendError(log: RequestLog) {
  return (error: unknown, request: Request, response: Response, next: NextFunction) => {
    const requestId = response.locals.requestId as string;
    const told = publicError(error);
    const answer = errorAnswer(told, requestId);
    log.failure({ requestId, status: answer.status, error: told });
    if (response.headersSent) {
      next(error);
      return;
    }
    // Rather than read the rest of a body that nobody wants, at the pace of whoever sends it.
    if (!request.complete && announcesBody(request)) response.setHeader('Connection', 'close');
    sendJson(response, answer);
  };
}

/** What Express throws before a route is found: a path with broken percent-escapes, which names nothing that exists. */
function publicError(error: unknown): unknown {
  return error instanceof ApiError || (error as { status?: unknown }).status !== 400 ? error : noSuchPath();
}

/** The classes of which an HTTP server makes its requests and responses. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes whose requests and responses are from the beginning what Express makes of each that it gets, by giving it another
 * prototype. That costs more than the rest of an empty request, four fifths of it, because V8 then takes what it knows of such
 * objects for void; with these Express finds nothing to change. To be asked for once, before the app serves.
 */
export function messagesOf(app: Express): Messages {
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
