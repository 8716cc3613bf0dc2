import type { Request, Response, Router } from 'express';
import { sendJson } from '../response.js';
import { readOnlyRouter } from './read-only.js';

/** The state of the server that health checks report. */
export interface Health {
  /** Returns true if the database answers. */
  readonly isReady: () => Promise<boolean>;
  /** Returns true if the server is stopping and no other process replaces it. Load balancers then send requests to other servers. */
  readonly isDraining: () => boolean;
}

/**
 * Returns the router of GET /health/live and /health/ready. They respond with `{status}`, without the envelope of the other responses.
 * @source docs/contract.md, section 10
 */
export function healthRouter(health: Health): Router {
  return readOnlyRouter({
    '/health/live': (_request: Request, response: Response) => {
      sendJson(response, { status: 200, headers: {}, body: { status: 'live' } });
    },
    '/health/ready': async (_request: Request, response: Response) => {
      const isReady = !health.isDraining() && (await health.isReady().catch(() => false));
      sendJson(response, {
        status: isReady ? 200 : 503,
        headers: isReady ? {} : { 'Retry-After': '1' },
        body: { status: isReady ? 'ready' : health.isDraining() ? 'draining' : 'unavailable' },
      });
    },
  });
}
