import { HttpResponse, http, type RequestHandler } from 'msw';
import { noon } from './run-in-test.js';

/** The state of the server's pages outside the API, such as `/health/ready`. Tests can change this state. */
export interface ServerPages {
  isReady: boolean;
  /** The number of milliseconds by which the Date header is ahead of the machine's clock. */
  clockAheadMs: number;
  /** The version of the server in /openapi.json; undefined if the server does not have this page. */
  version: string | undefined;
}

/** Returns the state that the pages have on a healthy server. */
export function goodServerPages(): ServerPages {
  return { isReady: true, clockAheadMs: 0, version: '0.1.0' };
}

/** Returns handlers for the pages. For each request, they read the current state of the pages. */
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
