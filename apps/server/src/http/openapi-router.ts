import { openApiDocument } from '@centavo/contracts/openapi';
import { type Request, type Response, Router } from 'express';
import { serverVersion } from '../version.js';
import { sendJson } from './send-json.js';

/** GET /openapi.json: the contract as OpenAPI 3.1, printed from the table of routes. Source: contract, section 10. */
export function openApiRouter(): Router {
  const router = Router({ strict: true, caseSensitive: true });
  // Printed by the first request that asks, so that a start does not wait for it, and then kept.
  let body: unknown;
  router.get('/openapi.json', (_request: Request, response: Response) => {
    body ??= openApiDocument({ serverUrl: '/', version: serverVersion });
    sendJson(response, { status: 200, headers: {}, body });
  });
  return router;
}
