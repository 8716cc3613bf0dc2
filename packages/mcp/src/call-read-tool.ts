import { type Arguments, type PageRequest, parseArguments, parsePageRequest } from './arguments.js';
import type { OperationRequest, OperationResponse, Refused } from './executor.js';
import { refusedArgument } from './refusals.js';
import type { Session } from './session.js';
import { countFittingRows, cutLists, textLengthMax } from './size-limits.js';
import type { ReadTool } from './tools/tool.js';

/** The result of a tool. In the MCP response, the field `structuredContent` is this `content`, and the text is its JSON. */
export interface ToolResult {
  readonly ok: true;
  readonly content: { readonly data: unknown; readonly nextCursor: string | null; readonly [field: string]: unknown };
}

type Rows = readonly unknown[];

/** A successful response of an operation. */
type Success = Extract<OperationResponse, { ok: true }>;

/** Calls a read tool. Returns as many of the requested rows as fit into one result. */
export async function callReadTool(session: Session, tool: ReadTool, given: Arguments): Promise<ToolResult | Refused> {
  const read = parseArguments(tool, given);
  if ('ok' in read) return read;
  const page = parsePageRequest(tool, read.others);
  if ('ok' in page) return page;
  const send = (query: Readonly<Record<string, string>>) =>
    session.execute({ call: tool.call, ...read, query: { ...page.query, ...query } } satisfies OperationRequest);
  if (tool.paging === 'none') {
    const response = await send({});
    return response.ok ? toResult({ data: response.data, nextCursor: null }) : response;
  }
  return tool.paging.by === 'api' ? readApiPage(tool.paging.parameter, page, send) : readToolPage(tool, page, send);
}

/**
 * Returns data as the result of a tool. If the data is too long, its lists are shortened, and `omittedRows` is the
 * number of omitted items.
 */
function toResult({ data, ...others }: ToolResult['content']): ToolResult {
  if (JSON.stringify({ data, ...others }).length <= textLengthMax) return { ok: true, content: { data, ...others } };
  const rest = { ...others, omittedRows: Number.MAX_SAFE_INTEGER };
  const { value, omittedRows } = cutLists(data, textLengthMax - JSON.stringify({ data: null, ...rest }).length);
  return { ok: true, content: { data: value, ...others, omittedRows } };
}

type Send = (query: Readonly<Record<string, string>>) => Promise<OperationResponse>;

/**
 * Returns one page of an operation that has pages. If not all rows fit into the result, reads the page again with a smaller
 * limit, because only the API can create the cursor that continues after the last row that fits.
 */
async function readApiPage(parameter: string, page: PageRequest, send: Send): Promise<ToolResult | Refused> {
  const position = page.cursor === undefined ? {} : { [parameter]: page.cursor };
  for (let { limit } = page; ; ) {
    const response = await send({ ...position, limit: String(limit) });
    if (!response.ok) return response;
    const rows = response.data as Rows;
    const others = { nextCursor: nextCursorOf(response), ...feedOf(response) };
    const count = countFittingRows(rows, { data: [], ...others });
    if (count === rows.length || limit === 1) return toResult({ data: rows, ...others });
    // Each request has a smaller limit than the request before it, so that the loop ends even if rows change between two requests.
    limit = Math.max(1, Math.min(count, limit - 1));
  }
}

function nextCursorOf({ meta }: Success): string | null {
  const { feed, pagination } = meta as {
    feed?: { cursor: string; hasMore: boolean };
    pagination?: { nextCursor: string | null };
  };
  if (feed !== undefined) return feed.hasMore ? feed.cursor : null;
  return pagination?.nextCursor ?? null;
}

/** Returns an object with `meta.feed`, which contains the cursor for a later call. If there is no `meta.feed`, returns `{}`. */
function feedOf({ meta }: Success): { readonly feed?: unknown } {
  return meta.feed === undefined ? {} : { feed: meta.feed };
}

/** Returns one page of a list for which the API has no cursor. The tool's own cursor contains the number of rows before the page. */
async function readToolPage(tool: ReadTool, page: PageRequest, send: Send): Promise<ToolResult | Refused> {
  const paging = tool.paging as Exclude<ReadTool['paging'], 'none' | { by: 'api' }>;
  const offset = page.cursor === undefined ? 0 : offsetOf(page.cursor);
  if (offset === undefined) {
    return refusedArgument('cursor', 'INVALID_FORMAT', `Pass nextCursor of ${tool.name} unchanged.`);
  }
  const apiRowsMax = paging.by === 'tool' ? paging.apiRowsMax : undefined;
  const limit = apiRowsMax === undefined ? {} : { limit: String(Math.min(apiRowsMax, offset + page.limit + 1)) };
  const response = await send(limit);
  if (!response.ok) return response;
  const [record, all] =
    paging.by === 'field'
      ? [response.data as Record<string, unknown>, (response.data as Record<string, Rows>)[paging.field] ?? []]
      : [undefined, response.data as Rows];
  const rows = all.slice(offset, offset + page.limit);
  const toContent = (count: number) => {
    const shown = rows.slice(0, count);
    const data = paging.by === 'field' ? { ...record, [paging.field]: shown } : shown;
    const end = offset + count;
    return { data, nextCursor: end < all.length ? cursorOf(end) : null, ...summaryOf(response) };
  };
  // The content without rows, with the longest cursor that the page can have.
  const others = { ...toContent(0), nextCursor: cursorOf(all.length) };
  return toResult(toContent(Math.max(1, countFittingRows(rows, others))));
}

/** The maximum number of currencies whose totals one result contains. More totals would leave too little room for rows. */
const totalsMax = 40;

function summaryOf({ meta }: Success): { readonly summary?: unknown } {
  const summary = meta.summary as { readonly totals: Rows } | undefined;
  return summary === undefined ? {} : { summary: { ...summary, totals: summary.totals.slice(0, totalsMax) } };
}

function cursorOf(offset: number): string {
  return Buffer.from(`offset:${offset}`).toString('base64url');
}

function offsetOf(cursor: string): number | undefined {
  const digits = /^offset:(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
