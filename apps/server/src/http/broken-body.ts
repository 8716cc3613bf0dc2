import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../api-error.js';

/** What became of a body, and who waits to hear of it. No AbortController: each request with a body would pay for one. */
interface Break {
  fault?: ApiError;
  tell?: (fault: ApiError) => void;
}

const breaks = new WeakMap<IncomingMessage, Break>();

/** Tells whoever reads the body of a request, now or later, that the rest of it does not come; the first fault counts. */
export function breakBody(request: IncomingMessage, fault: ApiError): void {
  const known = breakOf(request);
  known.fault ??= fault;
  known.tell?.(known.fault);
}

/** Rejects with the fault when the body of a request breaks. Node itself would let its reader wait for ever. */
export function untilBodyBreaks(request: IncomingMessage): Promise<never> {
  const known = breakOf(request);
  return new Promise((_resolve, reject) => {
    if (known.fault !== undefined) reject(known.fault);
    known.tell = reject;
  });
}

/** Whether the head of a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function breakOf(request: IncomingMessage): Break {
  const known = breaks.get(request) ?? {};
  breaks.set(request, known);
  return known;
}
