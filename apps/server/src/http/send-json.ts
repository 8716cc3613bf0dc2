import type { ServerResponse } from 'node:http';

/**
 * Writes a JSON answer. Express's own `json()` is passed by: it would add weak ETags and answer 304 by itself.
 * `no-transform` keeps proxies from compressing, which would weaken our ETags. Source: contract, section 1.
 */
export function sendJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): void {
  const text = answer.body === undefined ? undefined : JSON.stringify(answer.body);
  response.statusCode = answer.status;
  response.setHeader('Cache-Control', 'no-store, no-transform');
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (text !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
  }
  // A text goes out in one piece with the head.
  response.end(text);
}
