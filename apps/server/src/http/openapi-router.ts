import { openApiDocument } from '@centavo/contracts/openapi';
import type { Request, Response, Router } from 'express';
import { serverVersion } from '../version.js';
import { sendJson } from './response.js';
import { readOnlyRouter } from './routes/read-only.js';

/**
 * GET /openapi.json: the contract as OpenAPI 3.1, printed from the table of routes. Source: contract, section 10.
 * @param house.hasIdentity whether the embedded provider is served; what answers 404 is not in the document
 */
export function openApiRouter(house: { readonly hasIdentity: boolean }): Router {
  // Printed by the first request that asks, so that a start does not wait for it, and then kept.
  let body: unknown;
  return readOnlyRouter({
    '/openapi.json': (_request: Request, response: Response) => {
      body ??= openApiDocument({ serverUrl: '/', version: serverVersion, hasIdentity: house.hasIdentity });
      sendJson(response, { status: 200, headers: {}, body });
    },
  });
}
