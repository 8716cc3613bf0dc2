import { randomUUID } from 'node:crypto';
import { type CallContract, errorCodes, type RouteContract, routes, type Scope } from '@centavo/contracts';
import type { Executor, OperationRequest, OperationResponse } from '@centavo/mcp';
import { ApiError, noSuchPath } from '../../api-error.js';
import { WrittenJson } from '../../optimizations/written-json.js';
import { type Endpoint, endpoint } from '../endpoint.js';
import { handleOperation } from '../handle-operation.js';
import type { RequestLog } from '../log.js';
import type { OperationServer } from '../operation.js';
import { type Incoming, lowerCaseIds } from '../request.js';
import type { Answer } from '../response.js';

/** The HTTP request of an MCP client, and the parts of the server that run the operations of the request. */
export interface McpRequest {
  readonly server: OperationServer;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly incoming: Incoming;
  readonly address: string;
  readonly addHeaders: (headers: Readonly<Record<string, string>>) => void;
  readonly log: RequestLog;
}

// This route is only for MCP: it authenticates the caller, consumes one token of the rate limit `reads`, and returns the scopes. No
// client can call it over HTTP.
const callerRoute = {
  ...routes.listTrackers,
  call: { ...routes.listTrackers.call, name: 'readCaller', tracker: 'none', scopes: [] },
  data: null,
} satisfies RouteContract;

const readCaller = endpoint(callerRoute, async ({ principal }) => ({ data: principal.scopes as never }));

/**
 * Runs the operations of the MCP tools in this process, with the credential of the HTTP request. Each operation authenticates and
 * authorizes the caller, consumes rate-limit tokens and is logged, like an operation of a separate HTTP request.
 */
export class HandlerExecutor implements Executor {
  readonly #request: McpRequest;
  #scopes: Promise<readonly Scope[]> | undefined;
  #hasRun = false;
  #refusal: ApiError | undefined;

  constructor(request: McpRequest) {
    this.#request = request;
  }

  async execute(operation: OperationRequest): Promise<OperationResponse> {
    const { call, pathParameters } = operation;
    const found = this.#request.endpoints.get(call.name);
    if (found === undefined) throw noSuchPath();
    try {
      const answer = await this.#run({ endpoint: found, pathParameters, incoming: this.#toIncoming(operation) });
      const { data, meta } = answer.body as { data: unknown; meta: Record<string, unknown> };
      const plain = data instanceof WrittenJson ? (JSON.parse(data.text) as unknown) : data;
      return { ok: true, data: plain, meta, etag: answer.headers.ETag ?? null };
    } catch (error) {
      const refusal = toApiError(error);
      if (refusal.status === 401) this.#refusal = refusal;
      const { code, message, details, status } = refusal;
      const isWrite = call.method !== 'GET' && operation.query.dryRun === undefined;
      return { ok: false, error: { code, message, details }, isOutcomeUnknown: isWrite && status >= 500 };
    }
  }

  /**
   * Returns the scopes of the caller. Reads them only once.
   * @throws ApiError if the caller is not authenticated, or has no rate-limit token left
   */
  readScopes(): Promise<readonly Scope[]> {
    const incoming = { ...this.#toIncoming({ call: callerRoute.call, pathParameters: {}, query: {} }) };
    this.#scopes ??= this.#run({ endpoint: readCaller, pathParameters: {}, incoming }).then(
      ({ body }) => (body as { data: readonly Scope[] }).data,
    );
    return this.#scopes;
  }

  /**
   * Authenticates the caller if no operation has done so. Refuses the whole HTTP request if an operation was refused with status 401.
   * @throws ApiError 401, or 429 when the caller has no token of the rate limit `reads` left
   */
  async requireAuthenticated(): Promise<void> {
    if (!this.#hasRun) await this.readScopes();
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  #toIncoming({ call, query, body, trackerId, idempotencyKey, ifMatch }: OperationRequest): Incoming {
    return {
      rawQuery: new URLSearchParams(query).toString(),
      authorization: this.#request.incoming.authorization,
      trackerHeader: call.tracker === 'required' ? trackerId : undefined,
      idempotencyKey,
      ifMatch,
      ifNoneMatch: undefined,
      readAfter: undefined,
      contentType: body === undefined ? undefined : 'application/json',
      contentEncoding: undefined,
      body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
    };
  }

  async #run(operation: {
    readonly endpoint: Endpoint;
    readonly pathParameters: Readonly<Record<string, string>>;
    readonly incoming: Incoming;
  }): Promise<Answer> {
    const { server, address, addHeaders, log } = this.#request;
    const { call } = operation.endpoint.route;
    const requestId = randomUUID();
    const startedAt = performance.now();
    this.#hasRun = true;
    let status: number | null = null;
    try {
      const pathParameters = lowerCaseIds(operation.pathParameters);
      const answer = await handleOperation(server, {
        ...operation,
        pathParameters,
        requestId,
        address,
        addHeaders,
        onClose: () => {},
      });
      status = answer.status;
      return answer;
    } catch (error) {
      ({ status } = toApiError(error));
      log.failure({ requestId, status, error });
      throw error;
    } finally {
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      log.finished({ requestId, method: call.method, route: templateOf(call), status, durationMs });
    }
  }
}

function templateOf({ base, path }: CallContract): string {
  return (base + path).replace(/\{(\w+)\}/g, ':$1');
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = `The service had an internal error. ${errorCodes.INTERNAL_ERROR.remedy}`;
  return new ApiError({ code: 'INTERNAL_ERROR', message, cause: error });
}
