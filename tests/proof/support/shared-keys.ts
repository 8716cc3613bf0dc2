import { type Answer, type Call, callsTo } from '../../acceptance/support/call-api.js';
import type { Sandbox } from '../../acceptance/support/sandbox.js';
import { drawBelow } from './draw.js';
import type { OpenDatabase } from './proof-databases.js';
import { type SeededRandom, seededRandom } from './seeded-random.js';
import { newTally } from './tally.js';
import { createTenant, succeed } from './tenants.js';

/** The number of adjacent keys that the clients use at the same time. */
const windowOfKeys = 120;
const openingCents = 100_000_000;

/** Clients that send bulk requests and single requests with the same idempotency keys to three servers, and count violations. */
export class SharedKeys {
  readonly violations = newTally(
    'keys with several movements in the answers',
    'answers that are no success',
    'answers 5xx',
    'keys with more or less than one effect',
    'movements without a key of a client',
    'deadlocks in PostgreSQL',
    'cashboxes whose balance is not the sum of their movements',
  );
  readonly seen = newTally('bulkRequests', 'singlePosts', 'created', 'replayed', 'inProgress', 'atomicRequests');
  readonly idOfKey = new Map<string, string>();
  sentItems = 0;

  readonly cashboxes: readonly { readonly accountId: string; readonly cashboxId: string }[];
  readonly #calls: readonly Call[];
  readonly #trackerId: string;

  private constructor(options: {
    readonly calls: readonly Call[];
    readonly trackerId: string;
    readonly cashboxes: SharedKeys['cashboxes'];
  }) {
    this.#calls = options.calls;
    this.#trackerId = options.trackerId;
    this.cashboxes = options.cashboxes;
  }

  /** Starts three servers. With one, its mutexes would serialize the writes, and nothing would contend for PostgreSQL's locks. */
  static async open(sandbox: Sandbox, { serverOptions }: OpenDatabase): Promise<SharedKeys> {
    const first = await sandbox.startServer(serverOptions);
    const servers = [first, await sandbox.startServer(serverOptions), await sandbox.startServer(serverOptions)];
    const { trackerId, asUser, asProgram } = await createTenant(first.origin);
    const opened = await Promise.all(
      ['North', 'South'].map((name) =>
        succeed(callsTo(first.origin, asUser), 'POST /v1/financial/accounts', {
          body: {
            name,
            type: 'cash',
            cashboxes: ['Left', 'Middle', 'Right'].map((side) => ({ name: side, openingBalanceDecimal: '1000000.00' })),
          },
        }),
      ),
    );
    const cashboxes = opened.flatMap(({ id: accountId, cashboxes: own }) =>
      own.map(({ id: cashboxId }: { id: string }) => ({ accountId, cashboxId })),
    );
    const calls = servers.map(({ origin }) => callsTo(origin, asProgram));
    return new SharedKeys({ calls, trackerId, cashboxes });
  }

  /** Sends requests from several clients until `items` are sent, or `isLate` returns true. */
  async send(options: {
    readonly items: number;
    readonly clients: number;
    readonly seed: number;
    readonly isLate: () => boolean;
  }): Promise<void> {
    const { items, clients, seed, isLate } = options;
    const sendAs = async (client: number) => {
      const random = seededRandom(seed, `client ${client}`);
      for (let turn = client; this.sentItems < items && !isLate(); turn += 1) {
        // All clients use the same range of keys at the same time, so that several clients send the same key, in single and bulk requests.
        const firstKey = Math.floor((this.sentItems / items) * (items / 3));
        await this.#sendTurn({ turn, client, firstKey, random });
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => sendAs(client)));
  }

  async #sendTurn(options: {
    readonly turn: number;
    readonly client: number;
    readonly firstKey: number;
    readonly random: SeededRandom;
  }): Promise<void> {
    const { turn, client, firstKey, random } = options;
    const numbers = Array.from({ length: 1 + drawBelow(random, 60) }, () => firstKey + drawBelow(random, windowOfKeys));
    const distinct = [...new Set(numbers)].sort((a, b) => (turn % 2 === 0 ? a - b : b - a));
    if (random.hits(0.5)) await this.#sendTogether(turn, distinct);
    else for (const number of distinct.slice(0, 5)) await this.#sendAlone(turn, number);
    if (random.hits(0.2)) await this.#sendAtomic(turn, client);
  }

  async #sendTogether(turn: number, numbers: readonly number[]): Promise<void> {
    const movements = numbers.map((number) => ({ ...this.#bodyOf(number), idempotencyKey: keyOf(number) }));
    const options = { body: { mode: 'independent', movements } };
    const answer = await this.#callOf(turn)('POST /v1/financial/movements/bulk', options);
    this.seen.bulkRequests += 1;
    this.sentItems += numbers.length;
    if (!this.#isSuccess(answer)) return;
    for (const [index, { status, movement, error }] of answer.data.entries()) {
      if (status === 'failed') this.#countRefusal(error);
      else this.#countSuccess(keyOf(numbers[index] ?? 0), movement.id, status);
    }
  }

  async #sendAlone(turn: number, number: number): Promise<void> {
    const headers = { 'Idempotency-Key': keyOf(number) };
    const answer = await this.#callOf(turn)('POST /v1/financial/movements', { headers, body: this.#bodyOf(number) });
    this.seen.singlePosts += 1;
    this.sentItems += 1;
    if (answer.status === 409) this.#countRefusal(answer.error);
    else if (this.#isSuccess(answer)) {
      const status = answer.meta.idempotentReplay === true ? 'replayed' : 'created';
      this.#countSuccess(keyOf(number), answer.data.id, status);
    }
  }

  /** Sends an atomic bulk request with one movement for each cashbox. Every second turn reverses the order of the cashboxes. */
  async #sendAtomic(turn: number, client: number): Promise<void> {
    const key = `atomic-${client}-${turn}`;
    const ordered = this.cashboxes.map((cashbox) => ({ type: 'income', amountDecimal: '1.00', ...cashbox }));
    const movements = turn % 2 === 0 ? ordered : ordered.toReversed();
    const options = { headers: { 'Idempotency-Key': key }, body: { movements } };
    const answer = await this.#callOf(turn)('POST /v1/financial/movements/bulk', options);
    this.seen.atomicRequests += 1;
    this.sentItems += movements.length;
    this.#isSuccess(answer);
  }

  #countSuccess(key: string, id: string, status: 'created' | 'replayed'): void {
    this.seen[status] += 1;
    if ((this.idOfKey.get(key) ?? id) !== id) this.violations['keys with several movements in the answers'] += 1;
    this.idOfKey.set(key, id);
  }

  /** Counts a refusal. IDEMPOTENCY_IN_PROGRESS is allowed: a concurrent request may hold the key longer than this request waits. */
  #countRefusal(error: { readonly code: string }): void {
    if (error.code === 'IDEMPOTENCY_IN_PROGRESS') this.seen.inProgress += 1;
    else this.violations['answers that are no success'] += 1;
  }

  #isSuccess(answer: Answer): boolean {
    if (answer.status < 300) return true;
    this.violations['answers that are no success'] += 1;
    if (answer.status >= 500) this.violations['answers 5xx'] += 1;
    return false;
  }

  /** Returns the body for a key, which is the same in each request. Movements of neighbouring keys are in different cashboxes. */
  #bodyOf(number: number): object {
    const cashbox = this.cashboxes[number % this.cashboxes.length];
    return {
      type: number % 3 === 0 ? 'income' : 'expense',
      amountDecimal: '1.00',
      ...cashbox,
      externalId: `T29-${number}`,
    };
  }

  #callOf(turn: number): Call {
    return this.#calls[turn % this.#calls.length] as Call;
  }

  /** Compares the tables of the tracker with the responses. */
  async compareTables({ owner }: OpenDatabase): Promise<void> {
    const { rows } = await owner.query(
      `select
         (select count(*)::int from unnest($1::text[]) as acknowledged (key)
          left join app.idempotency_keys keys on keys.tracker_id = $3 and keys.key = acknowledged.key
          left join (select external_id, count(*) as times from app.movements
                     where tracker_id = $3 group by external_id) as done
            on 'T29 key ' || substr(done.external_id, 5) = acknowledged.key
          where done.times is distinct from 1 or keys.key is null) as keys,
         (select count(*)::int from app.movements m
          where m.tracker_id = $3 and m.external_id like 'T29-%'
            and 'T29 key ' || substr(m.external_id, 5) <> all ($1::text[])) as unknown,
         (select count(*)::int from app.cashboxes c
          where c.tracker_id = $3
            and (c.balance <> $2::numeric / 100 + coalesce((select sum(case m.type when 'income' then m.amount else -m.amount end)
              from app.movements m where m.tracker_id = $3 and m.cashbox_id = c.id), 0)
            or c.expense_count + c.income_count <> (select count(*) from app.movements m
              where m.tracker_id = $3 and m.cashbox_id = c.id))) as cashboxes`,
      [[...this.idOfKey.keys()], openingCents, this.#trackerId],
    );
    this.violations['keys with more or less than one effect'] += rows[0].keys;
    this.violations['movements without a key of a client'] += rows[0].unknown;
    this.violations['cashboxes whose balance is not the sum of their movements'] += rows[0].cashboxes;
  }
}

function keyOf(number: number): string {
  return `T29 key ${number}`;
}
