import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

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
