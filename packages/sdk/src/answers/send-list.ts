import { MalformedAnswerError } from '../errors/transport-errors.js';
import type { CallRequest, Send } from '../transport/call-request.js';
import type { ApiResponse } from './api-response.js';
import { ListPromise } from './list-promise.js';
import { Page } from './page.js';

/** Fetches the first page of a list. Later pages are fetched with the same filters and options. */
export function sendList<Row>(send: Send, request: CallRequest): ListPromise<Row> {
  return new ListPromise(fetchPage<Row>(send, request));
}

async function fetchPage<Row>(send: Send, request: CallRequest): Promise<ApiResponse<Page<Row>>> {
  const response = await send<readonly Row[]>(request);
  if (!Array.isArray(response.data)) {
    throw new MalformedAnswerError({ message: 'The response to a list request is not a list', idempotencyKey: null });
  }
  // The API accepts a cursor or an offset, not both. The cursor of a page that was read by offset also continues after that page.
  const page = new Page(response.data, response.meta?.pagination, (cursor) =>
    fetchPage<Row>(send, { ...request, query: { ...request.query, offset: undefined, cursor } }),
  );
  return { ...response, data: page };
}
