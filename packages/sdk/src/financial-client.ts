import { ApiPromise } from './answers/api-promise.js';
import type { FinancialClientOptions } from './client-options.js';
import { UsageError } from './errors/usage-errors.js';
import { callOfRawRequest, type RawRequest } from './raw-request.js';
import { AccountsResource } from './resources/accounts.js';
import { AuditEventsResource, SecurityEventsResource } from './resources/audit-events.js';
import { BudgetsResource } from './resources/budgets.js';
import { CategoriesResource } from './resources/categories.js';
import { ChangesResource } from './resources/changes.js';
import { ContextResource } from './resources/context.js';
import { CredentialsResource } from './resources/credentials.js';
import { IdentityResource } from './resources/identity.js';
import { InvitationsResource } from './resources/invitations.js';
import { MovementsResource } from './resources/movements.js';
import { TrackersResource } from './resources/trackers.js';
import { TransfersResource } from './resources/transfers.js';
import { WebhooksResource } from './resources/webhooks.js';
import { requireUsableToken } from './transport/bearer-token.js';
import type { Send } from './transport/call-request.js';
import { systemClock } from './transport/clock.js';
import { createIdempotencyKey } from './transport/idempotency-key.js';
import { ReadPosition } from './transport/read-position.js';
import { requireLimits } from './transport/require-limits.js';
import { RetryBudget } from './transport/retry-budget.js';
import { sendRequest } from './transport/send-request.js';
import { serverRootOf } from './transport/server-root.js';
import type { Transport } from './transport/transport.js';
import { sdkVersion } from './version.js';

/**
 * The client of the Centavo API. It sends an idempotency key with each write that accepts one, and retries a request only if
 * the request cannot take effect twice. If a write was sent and no usable response arrived, the call rejects with
 * OutcomeUnknownError. The token does not appear in errors or hook events, nor in the log if a program logs the client.
 *
 * @throws UsageError for an invalid option, InvalidSecretError for an invalid token, such as a mistyped API key
 * @example
 * import { FinancialClient } from '@centavo/sdk';
 *
 * const client = new FinancialClient({ token: process.env.CENTAVO_TOKEN });
 * const movement = await client.movements.create({ type: 'expense', amountDecimal: '12.50', accountId });
 */
export class FinancialClient {
  readonly context: ContextResource;
  readonly trackers: TrackersResource;
  readonly invitations: InvitationsResource;
  readonly accounts: AccountsResource;
  readonly categories: CategoriesResource;
  readonly movements: MovementsResource;
  readonly transfers: TransfersResource;
  readonly budgets: BudgetsResource;
  readonly changes: ChangesResource;
  readonly auditEvents: AuditEventsResource;
  readonly securityEvents: SecurityEventsResource;
  readonly credentials: CredentialsResource;
  readonly webhooks: WebhooksResource;
  readonly identity: IdentityResource;
  readonly #options: FinancialClientOptions;
  readonly #send: Send;

  constructor(options: FinancialClientOptions = {}) {
    const transport = transportOf(options);
    const send: Send = (request) => sendRequest(transport, request);
    const { retryBudget, readPosition } = transport;
    this.#options = { ...options, internals: { ...options.internals, retryBudget, readPosition } };
    this.#send = send;
    this.context = new ContextResource(send);
    this.trackers = new TrackersResource(send);
    this.invitations = new InvitationsResource(send);
    this.accounts = new AccountsResource(send);
    this.categories = new CategoriesResource(send);
    this.movements = new MovementsResource(send);
    this.transfers = new TransfersResource(send);
    this.budgets = new BudgetsResource(send);
    this.auditEvents = new AuditEventsResource(send);
    this.securityEvents = new SecurityEventsResource(send);
    this.changes = new ChangesResource(send, transport);
    this.credentials = new CredentialsResource(send);
    this.webhooks = new WebhooksResource(send);
    this.identity = new IdentityResource(send);
  }

  /**
   * Returns a client with the same options for another tracker. Both clients share one retry budget, which limits the retries of
   * all calls. A read by one client includes the earlier writes of the other client.
   * @example const home = client.forTracker(trackerId);
   */
  forTracker(trackerId: string): FinancialClient {
    return new FinancialClient({ ...this.#options, trackerId });
  }

  /**
   * Sends a request by HTTP method and path. Idempotency keys, retries and errors work as in the other methods of the client.
   * Writes by operations that are not in `@centavo/contracts` are an exception: the client sends no idempotency key with them, and
   * retries them only after 429.
   * @throws UsageError if the path is invalid
   * @example const movements = await client.request({ method: 'GET', path: '/movements', query: { limit: 5 } });
   */
  request<Data = unknown>(raw: RawRequest): ApiPromise<Data> {
    const call = async () => this.#send<Data>(callOfRawRequest(raw));
    return new ApiPromise(call());
  }
}

function transportOf(options: FinancialClientOptions): Transport {
  const { token, timeoutMs = 30_000, maxRetries = 3, retryAfterMsMax = 60_000, internals = {}, userAgent } = options;
  requireLimits({ timeoutMs, maxRetries });
  if (!(retryAfterMsMax >= 0)) throw new UsageError('retryAfterMsMax must be at least 0');
  // If the token is a function, the client calls it and checks its result before each attempt.
  if (token !== undefined && typeof token !== 'function') requireUsableToken(token);
  const ownAgent = `centavo-sdk/${sdkVersion}`;
  return {
    root: serverRootOf(options.baseUrl ?? 'http://127.0.0.1:8080/v1/financial', options.allowInsecure ?? false),
    token,
    trackerId: options.trackerId,
    // Reads the global `fetch` for each request, so that a later replacement of `fetch`, for example by a test tool, takes effect.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    checkData: options.checkData,
    timeoutMs,
    maxRetries,
    retryAfterMsMax,
    userAgent: userAgent === undefined ? ownAgent : `${userAgent} ${ownAgent}`,
    hooks: options.hooks ?? {},
    clock: internals.clock ?? systemClock,
    random: internals.random ?? Math.random,
    createKey: internals.createKey ?? createIdempotencyKey,
    retryBudget: internals.retryBudget ?? new RetryBudget(),
    readPosition: internals.readPosition ?? new ReadPosition(),
  };
}
