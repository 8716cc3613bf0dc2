import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Transactions } from '../database/pool.js';
import { type AttemptOutcome, decideAttempt, decideSlots, type EndpointState, isFailing } from './decide-attempt.js';
import {
  type DueDelivery,
  type Lease,
  lockState,
  releaseLease,
  renewLease,
  type SettledDelivery,
  settle,
  workerTransaction,
} from './deliveries.queries.js';
import { sendDelivery } from './send-delivery.js';
import { signDelivery } from './sign-delivery.js';
import { type Taken, takeDeliveries } from './take-deliveries.js';

/** The dependencies of {@link serveEndpoint}. Clocks and randomness are arguments, so that tests control them. */
export interface DeliveryEnvironment {
  readonly database: Transactions;
  readonly dispatcher: Dispatcher;
  /** Decrypts the stored secret of an endpoint. */
  readonly decrypt: (stored: string, endpointId: string) => Promise<string>;
  readonly nowMs: () => number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly random: () => number;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Buffer;
  readonly onAttempt: (outcome: AttemptOutcome, delivery: DueDelivery) => void;
  /** Returns true if no further attempt may begin. */
  readonly isClosing: () => boolean;
}

/**
 * The maximum time between the check of the owner's rights and the beginning of an attempt. A request that revokes these rights waits for
 * checks in progress, so no attempt begins more than this time after the response to that request.
 * @source docs/additions.md, section 5.1
 */
const rightsMsMax = 5_000;
const renewEveryMs = 10_000;
/** The longest wait for the result of an attempt before the worker checks again for due deliveries and renews the lease if necessary. */
const pollEveryMs = 500;

/** An endpoint and its due deliveries, with the secrets that sign them and the time just before the owner's rights were checked. */
interface Checked extends Taken {
  readonly secrets: readonly string[];
  readonly checkedAt: number;
}

interface Result {
  readonly delivery: DueDelivery;
  readonly outcome: AttemptOutcome;
  readonly wasFailing: boolean;
}

/**
 * Sends deliveries to a leased endpoint until no delivery is due, the endpoint is no longer active, the worker is closing, or the lease is
 * lost. Then releases the lease, except in two cases: the lease was lost, or the check of the owner's rights found that the endpoint is not
 * active. In the second case the lease expires. Sends requests outside any transaction. Collects the results that arrive, and records them
 * in batches, each in one transaction.
 * @throws an error of the database, or of the decryption of a secret; the lease then expires
 */
export async function serveEndpoint(environment: DeliveryEnvironment, lease: Lease): Promise<void> {
  const { elapsedMs } = environment;
  const inFlight = new Map<string, Promise<void>>();
  const results: Result[] = [];
  let taken: Checked | undefined;
  let queue: DueDelivery[] = [];
  let slots = 1;
  let isActive = true;
  let renewedAt = elapsedMs();

  const begin = (delivery: DueDelivery, from: Checked) => {
    const wasFailing = isFailing(from.endpoint);
    const attempt = attemptDelivery(environment, { delivery, ...from }).then((outcome) => {
      if (outcome !== null) results.push({ delivery, outcome, wasFailing });
      inFlight.delete(delivery.eventId);
    });
    inFlight.set(delivery.eventId, attempt);
  };

  try {
    for (;;) {
      if (results.length > 0) {
        const recorded = results.splice(0);
        renewedAt = elapsedMs();
        const state = await recordResults(environment, lease, recorded);
        if (state === null) return;
        isActive = state.status === 'active';
        if (taken !== undefined) slots = decideSlots({ ...state, maxInFlight: taken.endpoint.maxInFlight });
        // A failure changes which deliveries are due, so the due deliveries are read again.
        if (!isActive || recorded.some(({ outcome }) => outcome.error !== null)) taken = undefined;
        if (taken === undefined) queue = [];
      }
      const mayBegin = isActive && !environment.isClosing();
      const isStale = taken === undefined || elapsedMs() - taken.checkedAt > rightsMsMax / 2;
      if (mayBegin && inFlight.size < slots && (isStale || queue.length === 0)) {
        const checkedAt = elapsedMs();
        const next = await takeDeliveries(environment.database, lease, [
          ...inFlight.keys(),
          ...results.map(({ delivery }) => delivery.eventId),
        ]);
        renewedAt = checkedAt;
        if (next === 'lost') return;
        if (next === 'owner_lost_access') {
          await disableWithoutOwner(environment, lease);
          return;
        }
        taken = { ...next, secrets: await secretsOf(environment, lease.endpointId, next), checkedAt };
        queue = next.due.filter(({ eventId }) => !results.some(({ delivery }) => delivery.eventId === eventId));
        slots = decideSlots(next.endpoint);
      }
      // While a failure is not recorded yet, no attempt begins: the failure may change the state of the endpoint to failing, and a failing
      // endpoint gets only one delivery at a time.
      const mayBeFailing = results.some(({ outcome }) => outcome.error !== null);
      while (mayBegin && !mayBeFailing && taken !== undefined && inFlight.size < slots) {
        const delivery = queue.shift();
        if (delivery === undefined) break;
        begin(delivery, taken);
      }
      if (results.length > 0) continue;
      if (inFlight.size === 0) {
        if (mayBegin && taken?.hasMore === true) continue;
        break;
      }
      await Promise.race([...inFlight.values(), sleep(pollEveryMs, undefined, { ref: false })]);
      if (elapsedMs() - renewedAt > renewEveryMs) {
        renewedAt = elapsedMs();
        if (!(await workerTransaction(environment.database, (tx) => renewLease(tx, lease)))) return;
      }
    }
    await workerTransaction(environment.database, (tx) => releaseLease(tx, lease));
  } finally {
    // After a lost lease the results are ignored, but this function still waits until the attempts have ended.
    await Promise.all(inFlight.values());
  }
}

/** Makes one attempt to send a delivery. @returns null if nothing was sent, because the owner's rights were checked too long ago */
async function attemptDelivery(
  environment: DeliveryEnvironment,
  { delivery, endpoint, secrets, checkedAt }: Checked & { readonly delivery: DueDelivery },
): Promise<AttemptOutcome | null> {
  const { body, eventId } = delivery;
  const outcome = await sendDelivery(environment.dispatcher, {
    url: endpoint.url,
    headers: signDelivery({ eventId, body, secrets, nowMs: environment.nowMs() }),
    body,
    mayBegin: () => environment.elapsedMs() - checkedAt < rightsMsMax,
    nowMs: environment.nowMs,
  });
  if (outcome !== null) environment.onAttempt(outcome, delivery);
  return outcome;
}

async function secretsOf(
  environment: DeliveryEnvironment,
  endpointId: string,
  { endpoint }: Taken,
): Promise<readonly string[]> {
  const stored = [endpoint.secret, endpoint.previousSecret].filter((secret) => secret !== null);
  return Promise.all(stored.map((secret) => environment.decrypt(secret, endpointId)));
}

/**
 * Records the results of attempts and the resulting state of the endpoint, in one transaction.
 * @returns null if the lease was lost; nothing was then recorded
 */
async function recordResults(
  environment: DeliveryEnvironment,
  lease: Lease,
  results: readonly Result[],
): Promise<EndpointState | null> {
  return workerTransaction(environment.database, async (tx) => {
    const locked = await lockState(tx, lease);
    if (locked === null) return null;
    const { nowMs, ...before } = locked;
    let state = before;
    const deliveries: SettledDelivery[] = [];
    for (const { delivery, outcome, wasFailing } of results) {
      const decided = decideAttempt(state, {
        outcome,
        countedAttempts: delivery.countedAttempts,
        wasFailing,
        nowMs,
        random: environment.random(),
      });
      state = decided.endpoint;
      deliveries.push({
        ...decided.delivery,
        eventId: delivery.eventId,
        round: delivery.round,
        lastStatus: outcome.status,
        lastError: outcome.error,
      });
    }
    await settle(tx, { endpointId: lease.endpointId, state, deliveries, event: eventOf(environment) });
    return state;
  });
}

/** Disables an endpoint whose owner has lost access. */
async function disableWithoutOwner(environment: DeliveryEnvironment, lease: Lease): Promise<void> {
  await workerTransaction(environment.database, async (tx) => {
    const locked = await lockState(tx, lease);
    if (locked === null || locked.status !== 'active') return;
    const { nowMs: _, ...before } = locked;
    const state = { ...before, status: 'disabled', disabledReason: 'owner_lost_access' } as const;
    await settle(tx, { endpointId: lease.endpointId, state, deliveries: [], event: eventOf(environment) });
    await releaseLease(tx, lease);
  });
}

function eventOf({ newId, randomBytes }: DeliveryEnvironment) {
  return { id: newId(), requestId: newId(), salt: randomBytes(16) };
}
