import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../../api-error.js';

/** Returns a router for read-only paths. It serves GET and HEAD, and returns 405 for every other method, OPTIONS included. */
export function readOnlyRouter(pages: Readonly<Record<string, RequestHandler>>): Router {
  const router = Router({ strict: true, caseSensitive: true });
  for (const [path, handle] of Object.entries(pages)) {
    router.get(path, handle);
    router.all(path, () => {
      throw methodNotAllowed(['GET', 'HEAD']);
    });
  }
  return router;
}
