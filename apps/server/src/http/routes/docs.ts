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
 * Returns the router of the pages that describe the API: /openapi.json, /docs with its two scripts, and a page for each error code. They
 * need no credential.
 * @param options.hasIdentity false if an external issuer authenticates users; the document then omits the identity operations
 * @source docs/contract.md, section 10
 */
export function docsRouter(options: { readonly hasIdentity: boolean }): Router {
  // The OpenAPI document and `reference.js` are loaded by the first request for them, so that the server starts faster.
  let openApi: unknown;
  let reference: Promise<Buffer> | undefined;
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return readOnlyRouter({
    '/openapi.json': (_request: Request, response: Response) => {
      openApi ??= openApiDocument({ serverUrl: '/', version: serverVersion, hasIdentity: options.hasIdentity });
      sendJson(response, { status: 200, headers: {}, body: openApi });
    },
    '/docs': (_request: Request, response: Response) => {
      // Replaces the Content-Security-Policy of JSON responses, because this response is an HTML page.
      response.setHeader('Content-Security-Policy', pagePolicy);
      send(response, { type: 'text/html', bytes: Buffer.from(page) });
    },
    '/docs/start.js': (_request: Request, response: Response) => {
      send(response, { type: 'text/javascript', bytes: Buffer.from(startScript) });
    },
    '/docs/reference.js': async (_request: Request, response: Response) => {
      reference ??= readReferenceScript();
      send(response, { type: 'text/javascript', bytes: await reference });
    },
    ...Object.fromEntries(codes.map((code) => [errorPagePath(code), sendErrorPage(code)])),
  });
}

// Scalar writes its styles into the page and embeds its icons as data: URLs. Everything else comes from this server.
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

// URLs are relative, so that the page also works if a proxy serves it under a path prefix.
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

// Switches off everything that contacts other hosts (fonts, proxy, agent, telemetry), and hides the links to Scalar's products.
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

/**
 * Reads Scalar's browser bundle from the directory of the built program, or from Scalar's package if the server runs from its sources.
 * The package does not export the bundle, so the path of the bundle is derived from the path of an exported file.
 */
function readReferenceScript(): Promise<Buffer> {
  return readFile(new URL('reference.js', import.meta.url)).catch(() => {
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
    return readFile(join(dirname(entry), 'browser', 'standalone.js'));
  });
}

function sendErrorPage(code: ErrorCode) {
  return async (_request: Request, response: Response) => {
    send(response, { type: 'text/markdown', bytes: await readErrorPage(`${code}.md`) });
  };
}

/** Reads a page from the directory of the built program, or from the repository if the server runs from its sources. */
function readErrorPage(name: string): Promise<Buffer> {
  return readFile(new URL(`docs/errors/${name}`, import.meta.url)).catch(() =>
    readFile(new URL(`../../../../../docs/errors/${name}`, import.meta.url)),
  );
}

function send(response: Response, { type, bytes }: { readonly type: string; readonly bytes: Buffer }): void {
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Length', bytes.length);
  sendBytes(response, bytes);
}
