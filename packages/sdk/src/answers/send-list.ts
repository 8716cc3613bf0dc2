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
  // Omits the offset, because the API does not accept it together with a cursor. The cursor already marks the end of this page.
  const page = new Page(response.data, response.meta?.pagination, (cursor) =>
    fetchPage<Row>(send, { ...request, query: { ...request.query, offset: undefined, cursor } }),
  );
  return { ...response, data: page };
}
