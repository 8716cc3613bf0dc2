import type { ApiResponse, FinancialClient, RawRequest } from '@centavo/sdk';
import { UsageError } from '../../errors.js';
import type { Printer } from '../../ui/printer.js';

/**
 * Prints a response as JSON, with its envelope if it has one. With `jsonl`, prints only its records, one per line. If
 * `includesHeaders` is true, prints the status and the headers first. Prints no JSON for a response without a body.
 */
export async function printResponse(
  printer: Printer,
  { status, headers, data, meta }: ApiResponse<unknown>,
  options: { includesHeaders: boolean },
): Promise<void> {
  if (options.includesHeaders) {
    await printer.printLine(`HTTP ${status}`);
    for (const [name, value] of headers) await printer.printLine(`${name}: ${value}`);
    await printer.printLine('');
  }
  if (data === undefined) return;
  if (printer.format === 'jsonl') {
    for (const record of Array.isArray(data) ? data : [data]) await printer.printJson(record, { indent: 0 });
    return;
  }
  // Paths outside the API (health, metrics, OpenAPI) have no envelope.
  await printer.printJson(meta === null ? data : { data, meta }, { indent: 2 });
}

/**
 * Prints the records of all pages as one list. With `jsonl`, prints each record as soon as it is read.
 * @throws UsageError (exit 2) when the call does not return a list
 */
export async function printAllPages(printer: Printer, client: FinancialClient, request: RawRequest): Promise<void> {
  const records: object[] = [];
  for await (const record of listAllPages(client, request)) {
    if (printer.format === 'jsonl') await printer.printJson(record, { indent: 0 });
    else records.push(record);
  }
  if (printer.format !== 'jsonl') await printer.printJson(records, { indent: 2 });
}

async function* listAllPages(client: FinancialClient, request: RawRequest): AsyncGenerator<object> {
  let query = request.query;
  for (;;) {
    const { data, meta } = await client.request({ ...request, query }).withResponse();
    if (!Array.isArray(data)) throw new UsageError('This operation does not return a list.', 'Remove --paginate.');
    yield* data as readonly object[];
    const { hasMore = false, nextCursor = null } = meta?.pagination ?? {};
    if (!hasMore || nextCursor === null) return;
    query = { ...query, offset: undefined, cursor: nextCursor };
  }
}
