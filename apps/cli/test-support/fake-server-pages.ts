import { HttpResponse, http, type RequestHandler } from 'msw';
import { noon } from './run-in-test.js';

/** The pages of a server outside its API, as a test needs them. */
export interface ServerPages {
  isReady: boolean;
  /** For the Date header: how far the server's clock is ahead of the machine's. */
  clockAheadMs: number;
  /** Undefined: it does not describe itself. */
  version: string | undefined;
}

/** The pages of a healthy server. */
export function goodServerPages(): ServerPages {
  return { isReady: true, clockAheadMs: 0, version: '0.1.0' };
}

/** Answers as those pages are at the moment. */
export function serverPageHandlers(root: string, pages: () => ServerPages): readonly RequestHandler[] {
  const headers = () => ({ date: new Date(noon + pages().clockAheadMs).toUTCString() });
  return [
    http.get(`${root}/health/live`, () => HttpResponse.json({ status: 'live' }, { headers: headers() })),
    http.get(`${root}/health/ready`, () => {
      const { isReady } = pages();
      const status = isReady ? 200 : 503;
      return HttpResponse.json({ status: isReady ? 'ready' : 'unavailable' }, { status, headers: headers() });
    }),
    http.get(`${root}/openapi.json`, () => {
      const { version } = pages();
      return version === undefined
        ? new HttpResponse(null, { status: 404 })
        : HttpResponse.json({ openapi: '3.1.0', info: { version } }, { headers: headers() });
    }),
  ];
}
