import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../api-error.js';

// Neither an AbortController nor a place in a table for each request with a body: what comes and goes in them is freed late
// (decision 0028). Only those that broke are remembered.
const faults = new WeakMap<IncomingMessage, ApiError>();
const broken = Symbol('the body broke');

/** Tells whoever reads the body of a request, now or later, that the rest of it does not come; the first fault counts. */
export function breakBody(request: IncomingMessage, fault: ApiError): void {
  const first = faults.get(request) ?? fault;
  faults.set(request, first);
  request.emit(broken, first);
}

/** Rejects with the fault when the body of a request breaks. Node itself would let its reader wait for ever. */
export function untilBodyBreaks(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const known = faults.get(request);
    if (known !== undefined) reject(known);
    request.once(broken, reject);
  });
}

/** Whether the head of a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
