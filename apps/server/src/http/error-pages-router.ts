import { readFile } from 'node:fs/promises';
import { type ErrorCode, errorCodes } from '@centavo/contracts';
import type { Request, Response, Router } from 'express';
import { readOnlyRouter } from './routes/read-only.js';

/** Where the page of a code is, from the root of the server. */
export function errorPagePath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
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
    readFile(new URL(`../../../../docs/errors/${name}`, import.meta.url)),
  );
}
