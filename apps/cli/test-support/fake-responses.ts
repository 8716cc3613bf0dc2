import { randomUUID } from 'node:crypto';
import { HttpResponse } from 'msw';

type Json = Record<string, unknown>;

const createdAt = '2026-01-01T00:00:00.000Z';

/** The id of the default tracker. The `meta` of every successful response has this id. */
export const trackerId = '0199c5a0-0000-7000-8000-000000000001';

/** Returns a successful response with its envelope. */
export function success(
  data: unknown,
  options: {
    status?: number;
    etag?: string;
    replayed?: boolean;
    dryRun?: boolean;
    pagination?: Json;
    summary?: Json;
    feed?: Json;
  } = {},
): Response {
  const { status = 200, etag, replayed, dryRun, pagination, summary, feed } = options;
  const requestId = randomUUID();
  const meta = {
    apiVersion: 1,
    requestId,
    trackerId,
    ...(replayed === true && { idempotentReplay: true }),
    ...(dryRun === true && { dryRun }),
    ...(pagination !== undefined && { pagination }),
    ...(summary !== undefined && { summary }),
    ...(feed !== undefined && { feed }),
  };
  const headers = { 'x-request-id': requestId, ...(etag !== undefined && { etag }) };
  return HttpResponse.json({ data, meta }, { status, headers });
}

/** Returns an error response with its envelope. */
export function refusal(status: number, code: string, options: { details?: Json; retryAfter?: string } = {}): Response {
  const requestId = 'c0ffee00-0000-4000-8000-000000000000';
  const headers = {
    'x-request-id': requestId,
    ...(options.retryAfter !== undefined && { 'retry-after': options.retryAfter }),
  };
  const error = { code, message: `Refused: ${code}.`, details: options.details ?? {} };
  return HttpResponse.json({ error, meta: { apiVersion: 1, requestId } }, { status, headers });
}

export function tracker(fields: Json): Json {
  return {
    role: 'owner',
    currencyCode: 'USD',
    timeZone: 'Europe/Madrid',
    isActive: true,
    isDefault: true,
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}

/** Returns the tracker id in the header of a request. If the header is missing, returns the id of the default tracker. */
export function trackerIdOf(headers: Headers): string {
  return headers.get('x-service-tracker-id') ?? trackerId;
}

/** Returns the default `trackerId` and `currencyCode` of a new account: those of the tracker that the request uses. */
export function accountDefaultsOf(trackers: readonly Json[], headers: Headers): Json {
  const id = trackerIdOf(headers);
  return { trackerId: id, currencyCode: trackers.find((candidate) => candidate.id === id)?.currencyCode };
}
