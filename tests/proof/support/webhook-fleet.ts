import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { callsTo } from '../../acceptance/support/call-api.js';
import { chooseFreePort } from '../../acceptance/support/choose-free-port.js';
import type { Sandbox, Server } from '../../acceptance/support/sandbox.js';
import { until } from '../../acceptance/support/until.js';
import { prepareAccounts } from './prepared-writes.js';
import type { OpenDatabase } from './proof-databases.js';
import type { SeededRandom } from './seeded-random.js';
import { type FickleReceiver, startFickleReceiver } from './start-fickle-receiver.js';
import { createTenant, succeed, type Tenant } from './tenants.js';

/** The environment variables of servers that deliver to receivers on this machine. */
export const webhookEnv = {
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  RATE_LIMIT_ADMIN_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
};

/** A receiver and its endpoint. Each endpoint belongs to a separate integration client. */
export interface OpenEndpoint {
  readonly receiver: FickleReceiver;
  readonly id: string;
  readonly clientId: string;
}

/** Three servers that deliver webhooks of one tenant. The first server also serves the requests of a proof. */
export class WebhookFleet {
  readonly #starts: readonly (() => Promise<Server>)[];
  readonly #servers: [Server, ...Server[]];
  readonly #owner: pg.Client;
  #tenant: Tenant;
  readonly #accountId: string;
  readonly #timer: NodeJS.Timeout;
  readonly #receivers: FickleReceiver[] = [];

  private constructor(options: {
    readonly starts: readonly (() => Promise<Server>)[];
    readonly servers: [Server, ...Server[]];
    readonly owner: pg.Client;
    readonly tenant: Tenant;
    readonly accountId: string;
  }) {
    this.#starts = options.starts;
    this.#servers = options.servers;
    this.#owner = options.owner;
    this.#tenant = options.tenant;
    this.#accountId = options.accountId;
    this.#timer = setInterval(() => void this.#makeDue().catch(() => {}), 200);
  }

  static async open(sandbox: Sandbox, { owner, serverOptions }: OpenDatabase): Promise<WebhookFleet> {
    const start = (PORT: string) => () =>
      sandbox.startServer({ ...serverOptions, env: { ...serverOptions.env, ...webhookEnv, PORT } });
    const starts = [start(await chooseFreePort()), start(await chooseFreePort()), start(await chooseFreePort())];
    const servers = [];
    for (const start of starts) servers.push(await start());
    const [first, ...others] = servers as [Server, ...Server[]];
    const tenant = await createTenant(first.origin);
    const { accountId } = await prepareAccounts(callsTo(first.origin, tenant.asUser));
    return new WebhookFleet({ starts, servers: [first, ...others], owner, tenant, accountId });
  }

  get tenant(): Tenant {
    return this.#tenant;
  }

  get origin(): string {
    return this.#servers[0].origin;
  }

  /** Kills a server that serves no request of the proof, and starts it again on the same port. */
  async killAndRestart(turn: number): Promise<void> {
    const index = 1 + (turn % (this.#servers.length - 1));
    await this.#servers[index]?.kill('SIGKILL');
    const restarted = await this.#starts[index]?.();
    if (restarted !== undefined) this.#servers[index] = restarted;
  }

  /** Logs the user in again, because an access token is valid for only a quarter of an hour. */
  async logInAgain(): Promise<void> {
    const { email, password, asUser } = this.#tenant;
    const { accessToken } = await succeed(callsTo(this.origin), 'POST /v1/identity/sessions', {
      body: { email, password },
    });
    this.#tenant = { ...this.#tenant, asUser: { ...asUser, Authorization: `Bearer ${accessToken}` } };
  }

  async openEndpoint(options: {
    readonly random: SeededRandom;
    readonly share: number;
    readonly hangsMax: number;
  }): Promise<OpenEndpoint> {
    const receiver = await startFickleReceiver(options);
    this.#receivers.push(receiver);
    const asUser = callsTo(this.origin, this.#tenant.asUser);
    const client = await succeed(asUser, 'POST /v1/financial/integration-clients', {
      body: { name: 'Hooks', scopes: ['webhooks:read', 'webhooks:write', 'movements:read'] },
    });
    const asClient = callsTo(this.origin, {
      Authorization: `Bearer ${client.secret}`,
      'X-Service-Tracker-Id': this.#tenant.trackerId,
    });
    const endpoint = await succeed(asClient, 'POST /v1/financial/webhooks', {
      body: { url: receiver.url, eventTypes: ['movement.*'], payload: 'record' },
    });
    receiver.secret = endpoint.secret;
    return { receiver, id: endpoint.id as string, clientId: client.clientId as string };
  }

  async recordMovements(items: number): Promise<void> {
    const write = callsTo(this.origin, this.#tenant.asProgram);
    const movement = { type: 'expense', amountDecimal: '1.00', accountId: this.#accountId };
    const movements = Array.from({ length: items }, () => movement);
    // All attempts have one key, so that a retry records no movement twice.
    const headers = { 'Idempotency-Key': randomUUID() };
    await until('the movements are recorded', () =>
      write('POST /v1/financial/movements/bulk', { headers, body: { movements } }).then(
        ({ status }) => status < 300,
        () => false,
      ),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const receiver of this.#receivers) receiver.close();
    await Promise.all(this.#servers.map((server) => server.kill('SIGKILL')));
  }

  /**
   * Makes all waiting deliveries due immediately, so that the test need not wait. Reactivates endpoints that were disabled because
   * they responded with the status 410.
   */
  async #makeDue(): Promise<void> {
    const owner = this.#owner;
    await owner.query(
      `update app.webhook_deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
    );
    await owner.query('update app.webhook_endpoints set retry_at = now() where retry_at > now()');
    await owner.query('update app.webhook_endpoints set due_at = now() where due_at > now()');
    await owner.query(
      `update app.webhook_endpoints set status = 'active', disabled_reason = null where disabled_reason = 'gone'`,
    );
  }
}
