import type { Scope } from '@centavo/contracts/calls';
import type { Executor, OperationRequest, OperationResponse } from '../src/index.js';

export const trackerId = '0190f2a0-0000-7000-8000-000000000001';
export const otherTrackerId = '0190f2a0-0000-7000-8000-000000000002';
export const accountId = '0190f2a0-0000-7000-8000-00000000000a';

export interface FakeMovement {
  readonly id: string;
  readonly version: number;
  readonly voidedAt: string | null;
  readonly [field: string]: unknown;
}

/** A fake of the API. It stores one list of movements, and supports dry runs, idempotency keys and versions. */
export class FakeExecutor implements Executor {
  readonly requests: OperationRequest[] = [];
  readonly movements: FakeMovement[] = [];
  scopes: readonly Scope[] | null = null;
  /** False if a request must name its tracker. */
  resolvesTracker = true;
  /**
   * Returns a response that replaces the response of the fake API, or undefined to keep the response of the fake API. In both cases the
   * fake API executes the request.
   */
  fault: (request: OperationRequest) => OperationResponse | undefined = () => undefined;
  /** The `data` that reads return, by the name of the operation. Reads of movements return `movements` instead. */
  readonly lists = new Map<string, unknown>();
  readonly #storedResponses = new Map<string, OperationResponse>();

  async readScopes(): Promise<readonly Scope[] | null> {
    return this.scopes;
  }

  async execute(request: OperationRequest): Promise<OperationResponse> {
    this.requests.push(request);
    const response = this.#respond(request);
    return this.fault(request) ?? response;
  }

  #respond(request: OperationRequest): OperationResponse {
    const { call, idempotencyKey = '', query } = request;
    if (call.tracker === 'required' && request.trackerId === undefined && !this.resolvesTracker) {
      const issue = { path: 'header.X-Service-Tracker-Id', code: 'TRACKER_HEADER_REQUIRED', message: 'Name one.' };
      return refusal('VALIDATION_ERROR', { issues: [issue] });
    }
    const meta = { trackerId: request.trackerId ?? trackerId };
    if (call.method === 'GET') return this.#read(request, meta);
    const isDryRun = query.dryRun === 'true';
    const stored = this.#storedResponses.get(idempotencyKey);
    if (stored?.ok) return { ...stored, meta: { ...stored.meta, idempotentReplay: true } };
    const response = this.#write(request, { meta, isDryRun });
    if (!isDryRun && response.ok) this.#storedResponses.set(idempotencyKey, response);
    return response;
  }

  #read({ call, pathParameters, query }: OperationRequest, meta: Record<string, unknown>): OperationResponse {
    if (call.name === 'getMovement') {
      const movement = this.#find(pathParameters.movementId);
      return movement === undefined ? refusal('NOT_FOUND') : { ok: true, data: movement, meta, etag: etagOf(movement) };
    }
    const rows = call.name === 'listMovements' ? this.movements : this.lists.get(call.name);
    if (call.name !== 'listMovements') return { ok: true, data: rows ?? [], meta, etag: null };
    const start = Number(query.cursor ?? 0);
    const end = start + Number(query.limit);
    const nextCursor = end < this.movements.length ? String(end) : null;
    const pagination = { nextCursor };
    return { ok: true, data: this.movements.slice(start, end), meta: { ...meta, pagination }, etag: null };
  }

  #write(
    { call, body, pathParameters, ifMatch }: OperationRequest,
    { meta, isDryRun }: { readonly meta: Record<string, unknown>; readonly isDryRun: boolean },
  ): OperationResponse {
    const movement = this.#find(pathParameters.movementId);
    if (call.ifMatch === 'required' && movement === undefined) return refusal('NOT_FOUND');
    if (movement !== undefined && ifMatch !== etagOf(movement)) return refusal('VERSION_CONFLICT');
    const bodies = call.name === 'createMovements' ? (body?.movements as object[]) : [body ?? {}];
    const written = bodies.map((fields, index) => ({
      ...(movement ?? { id: `m${this.movements.length + index}`, voidedAt: null }),
      ...fields,
      version: (movement?.version ?? 0) + 1,
      ...(call.name === 'voidMovement' ? { voidedAt: 'now' } : {}),
    }));
    if (!isDryRun && movement !== undefined) this.movements.splice(this.movements.indexOf(movement), 1);
    if (!isDryRun) this.movements.push(...(written as FakeMovement[]));
    const data = call.name === 'createMovements' ? written : written[0];
    return { ok: true, data, meta: { ...meta, ...(isDryRun ? { effects: { balances: [] } } : {}) }, etag: null };
  }

  #find(id: string | undefined): FakeMovement | undefined {
    return this.movements.find((movement) => movement.id === id);
  }
}

export function refusal(code: string, details: Record<string, unknown> = {}): OperationResponse {
  return { ok: false, isOutcomeUnknown: false, error: { code, message: code, details } };
}

function etagOf({ id, version }: FakeMovement): string {
  return `"${id}-${version}"`;
}
