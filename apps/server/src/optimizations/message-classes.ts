import { IncomingMessage, ServerResponse } from 'node:http';

/** The classes from which the HTTP server creates its requests and responses. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates message classes that inherit from the request and response prototypes of an Express app, and makes the app use the prototypes
 * of these classes. For each request, Express sets the prototypes of the request and response objects to those of the app. Objects of
 * these classes already have these prototypes. Other objects would get a new prototype, which invalidates V8's optimizations. Without
 * these classes, POST /movements (benchmark W1) has 0.82 times the requests per second, and GET /balances (W3) has 0.87 times (measured
 * 2026-11-23).
 */
export function createMessageClasses(app: { request: object; response: object }): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
