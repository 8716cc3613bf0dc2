import { createMcpServer } from '@centavo/mcp';
import type { Express, Request, Response } from 'express';
import { methodNotAllowed, validationError } from '../../api-error.js';
import { serverVersion } from '../../version.js';
import type { Endpoint } from '../endpoint.js';
import type { RequestLog } from '../log.js';
import type { OperationServer } from '../operation.js';
import { clientAddress, parseJson, readIncoming } from '../request.js';
import { sendBytes, setHeaders } from '../response.js';
import { findJsonTypeError } from '../validate.js';
import { HandlerExecutor } from './handler-executor.js';
import { challengeOf, metadataRouter } from './protected-resource.js';

/** The settings of the MCP endpoints. */
export interface McpOptions {
  /** The accepted values of `Origin`. Requests without the header do not come from a web page, and are accepted too. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** The external issuer of tokens, which clients find in the metadata of RFC 9728; null if the embedded identity provider is used. */
  readonly issuer: string | null;
}

export interface McpMount extends McpOptions {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly server: OperationServer;
  readonly log: RequestLog;
  readonly proxyHops: number;
}

/** The paths of the two endpoints, and whether each endpoint has tools that write. A client that uses the first path can only read. */
export const mcpPaths = { '/v1/mcp': false, '/v1/mcp/write': true } as const;

/**
 * Mounts the endpoints for agents. Requests share no state: each gets its own MCP server, whose tools run the operations of the
 * API with the credential of the request.
 * @source docs/additions.md, section 6
 */
export function mountMcp(app: Express, mount: McpMount): void {
  for (const [path, writes] of Object.entries(mcpPaths)) {
    app.all(path, async (request, response) => {
      response.locals.route = path;
      const origin = request.headers.origin;
      if (origin !== undefined && !mount.allowedOrigins.has(origin)) return refuseOrigin(response);
      if (request.method !== 'POST') throw methodNotAllowed(['POST']);
      await serve(mount, { request, response, writes }).catch((error: unknown) => {
        throw challengeOf(error, { options: mount, request, path });
      });
    });
  }
  if (mount.issuer !== null) app.use(metadataRouter(mount));
}

async function serve(
  mount: McpMount,
  { request, response, writes }: { readonly request: Request; readonly response: Response; readonly writes: boolean },
): Promise<void> {
  const incoming = await readIncoming(request);
  const { server, endpoints, log } = mount;
  const executor = new HandlerExecutor({
    server,
    endpoints,
    log,
    incoming,
    address: clientAddress(request, mount.proxyHops),
    addHeaders: (headers) => setHeaders(response, headers),
  });
  const mediaTypeError = findJsonTypeError(incoming);
  if (incoming.body.length > 0 && mediaTypeError !== undefined) throw mediaTypeError;
  const parsed = parseJson(incoming.body);
  const method = parsed.ok ? parsed.value.method : undefined;
  // A tool call runs an operation of the API, which authenticates the caller. For every other message, `readScopes` authenticates the
  // caller before the message is handled.
  if (method !== 'tools/call') await executor.readScopes();
  if (!parsed.ok) throw validationError([parsed.issue]);
  // The MCP package is loaded at the first request, so that the server starts faster.
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const handler = createMcpHandler(
    () =>
      createMcpServer({
        executor,
        writes,
        trackerId: incoming.trackerHeader,
        confirmMode: 'auto',
        version: serverVersion,
      }),
    // The MCP server sends no notifications, so it allows no subscriptions.
    { keepAliveMs: 0, maxSubscriptions: 0 },
  );
  const answer = await handler.fetch(toWebRequest(request, incoming.body), { parsedBody: parsed.value });
  const body = Buffer.from(await answer.arrayBuffer());
  await executor.requireAuthenticated();
  send(response, { answer, body });
}

/** Returns the request with the headers that MCP uses. Omits other headers, such as the credential. */
function toWebRequest(request: Request, body: Buffer): globalThis.Request {
  const isOfProtocol = (name: string) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    isOfProtocol(name) ? [[name, values.join(', ')] as [string, string]] : [],
  );
  return new globalThis.Request(`http://localhost${request.path}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
}

function send(
  response: Response,
  { answer, body }: { readonly answer: globalThis.Response; readonly body: Buffer },
): void {
  response.statusCode = answer.status;
  const type = answer.headers.get('content-type');
  if (type !== null) response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('Content-Length', body.length);
  sendBytes(response, body);
}

/**
 * Refuses a request from a web page whose origin is not allowed. Otherwise any page could call a server on the user's own machine. The
 * body is a JSON-RPC error.
 */
function refuseOrigin(response: Response): void {
  const error = { code: -32000, message: 'This origin is not allowed. Add it to MCP_ALLOWED_ORIGINS.' };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
  response.statusCode = 403;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('Content-Length', body.length);
  sendBytes(response, body);
}
