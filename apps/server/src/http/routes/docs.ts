import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ErrorCode, errorCodes } from '@centavo/contracts';
import { openApiDocument } from '@centavo/contracts/openapi';
import type { Request, Response, Router } from 'express';
import { serverVersion } from '../../version.js';
import { errorPagePath, sendBytes, sendJson } from '../response.js';
import { readOnlyRouter } from './read-only.js';

/**
 * GET /docs: a page that reads /openapi.json, and its two scripts. Nothing comes from another host, and the page's own
 * policy sees to it. Source: contract, section 10.
 */
export function docsRouter(): Router {
  let reference: Promise<Buffer> | undefined;
  return readOnlyRouter({
    '/docs': (_request: Request, response: Response) => {
      // In place of the policy that other answers have: this one is a page.
      response.setHeader('Content-Security-Policy', pagePolicy);
      send(response, 'text/html', Buffer.from(page));
    },
    '/docs/start.js': (_request: Request, response: Response) => {
      send(response, 'text/javascript', Buffer.from(startScript));
    },
    '/docs/reference.js': async (_request: Request, response: Response) => {
      reference ??= readFile(referenceScriptPath());
      send(response, 'text/javascript', await reference);
    },
  });
}

// The reference writes its styles into the page, and shows its icons as data: addresses.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Addresses are relative, so that the page also works below a proxy's prefix.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Centavo API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. <a href="openapi.json">openapi.json</a> does not.</noscript>
    <script src="docs/reference.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

// All that would ask another host is off: fonts, proxy, agent, telemetry, and the buttons that lead to its maker's programs.
const startScript = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
});
`;

/** The bundle for browsers; the package's exports do not name it, but it lies beside what they do. */
function referenceScriptPath(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  return join(dirname(entry), 'browser', 'standalone.js');
}

function send(response: Response, type: string, bytes: Buffer): void {
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Length', bytes.length);
  sendBytes(response, bytes);
}

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

/** GET /docs/errors/CODE: what a code means and what to do about it, as it is written in docs/errors. */
export function errorPagesRouter(): Router {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return readOnlyRouter(Object.fromEntries(codes.map((code) => [errorPagePath(code), sendPage(code)])));
}

function sendPage(code: ErrorCode) {
  return async (_request: Request, response: Response) => {
    const page = await readPage(`${code}.md`);
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('Content-Type', 'text/markdown; charset=utf-8');
    response.setHeader('Content-Length', page.length);
    response.end(page);
  };
}

/** The build lays the pages beside the program; for who runs the sources they are where they are written. */
function readPage(name: string): Promise<Buffer> {
  return readFile(new URL(`errors/${name}`, import.meta.url)).catch(() =>
    readFile(new URL(`../../../../../docs/errors/${name}`, import.meta.url)),
  );
}
