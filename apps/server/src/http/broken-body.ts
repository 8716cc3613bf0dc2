import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../api-error.js';

const breaks = new WeakMap<IncomingMessage, AbortController>();

/** Tells whoever reads the body of a request, now or later, that the rest of it does not come; the first fault counts. */
export function breakBody(request: IncomingMessage, fault: ApiError): void {
  breakOf(request).abort(fault);
}

/** Rejects with the fault when the body of a request breaks. Node itself would let its reader wait for ever. */
export function untilBodyBreaks(request: IncomingMessage): Promise<never> {
  const { signal } = breakOf(request);
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Whether the head of a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function breakOf(request: IncomingMessage): AbortController {
  const known = breaks.get(request) ?? new AbortController();
  breaks.set(request, known);
  return known;
}
