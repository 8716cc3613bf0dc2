import type { ServerResponse } from 'node:http';
import { pieceBytes, sendBytes } from './send-bytes.js';
import { countUnread } from './stalled-connections.js';
import { WrittenJson } from './written-json.js';

/**
 * Writes a JSON answer. Express's own `json()` is passed by: it would add weak ETags and answer 304 by itself.
 * `no-transform` keeps proxies from compressing, which would weaken our ETags. Source: contract, section 1.
 */
export function sendJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): void {
  response.statusCode = answer.status;
  response.setHeader('Cache-Control', 'no-store, no-transform');
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const text = toJson(answer.body);
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  if (bytes > pieceBytes) {
    countUnread(response, bytes);
    sendBytes(response, Buffer.from(text));
    return;
  }
  // A text goes out in one piece with the head. As many bytes as characters are ASCII, which needs no encoding: as Latin-1 it is
  // copied.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

function toJson(body: unknown): string {
  const { data, meta } = body as { readonly data?: unknown; readonly meta?: unknown };
  return data instanceof WrittenJson ? `{"data":${data.text},"meta":${JSON.stringify(meta)}}` : JSON.stringify(body);
}
