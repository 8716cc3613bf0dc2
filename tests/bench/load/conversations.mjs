// The requests of each workload. A connection sends them one after the other. Random values have the same distribution as in
// `reference/<workload>.sql`.
import { randomInt, randomUUID } from 'node:crypto';

/**
 * For each workload, a function that returns the requests of one connection. `next()` returns the next request, and `expected` is the
 * status of its response. Some workloads also have `prepare()`, which sends requests before the measurement, or `onAnswer()`, which
 * receives each response.
 */
export const conversations = {
  W1: ({ cashboxes }) => ({
    expected: 201,
    next: () => ({
      method: 'POST',
      path: '/movements',
      key: randomUUID(),
      body: {
        type: 'expense',
        amountDecimal: anyAmount(),
        ...anyOf(cashboxes),
        description: 'Weekly shopping',
        merchantName: 'Corner shop',
      },
    }),
  }),

  W2: ({ cashboxes }) => ({
    expected: 200,
    next: () => ({ method: 'GET', path: `/movements?limit=50&accountId=${anyOf(cashboxes).accountId}` }),
  }),

  W3: () => ({
    expected: 200,
    next: () => ({ method: 'GET', path: '/balances' }),
  }),

  W4: ({ cashboxes }) => ({
    expected: 201,
    next: () => {
      const from = randomInt(cashboxes.length);
      const to = (from + randomInt(1, cashboxes.length)) % cashboxes.length;
      return {
        method: 'POST',
        path: '/transfers',
        key: randomUUID(),
        body: {
          amountDecimal: anyAmount(),
          fromAccountId: cashboxes[from].accountId,
          fromCashboxId: cashboxes[from].cashboxId,
          toAccountId: cashboxes[to].accountId,
          toCashboxId: cashboxes[to].cashboxId,
          description: 'Put aside',
        },
      };
    },
  }),

  // Each connection corrects only its own movements. Otherwise some requests would end with a version conflict, which does not cost
  // the same as a correction.
  W5: ({ movementIds }, connection) => {
    const movements = shareOf(movementIds, connection).map((id) => ({ path: `/movements/${id}`, ifMatch: '' }));
    let current;
    return {
      expected: 200,
      prepare: async (send) => {
        for (const movement of movements) {
          movement.ifMatch = entityTagOf(await send({ method: 'GET', path: movement.path }));
        }
      },
      next: () => {
        current = anyOf(movements);
        const body = { amountDecimal: anyAmount(), description: 'Weekly shopping' };
        return { method: 'PATCH', ...current, key: randomUUID(), body };
      },
      onAnswer: (answer) => {
        current.ifMatch = entityTagOf(answer);
      },
    };
  },

  W6: ({ cashboxes, replayedKeys }, connection) => {
    const body = { type: 'expense', amountDecimal: '10.00', ...cashboxes[0], description: 'Weekly shopping' };
    const requests = shareOf(replayedKeys, connection).map((key) => ({
      method: 'POST',
      path: '/movements',
      key,
      body,
    }));
    return {
      // A replay returns 200; the first response was 201.
      expected: 200,
      prepare: async (send) => {
        for (const request of requests) await send(request);
      },
      next: () => anyOf(requests),
    };
  },

  W7: ({ budgetId }) => ({
    expected: 200,
    next: () => ({ method: 'GET', path: `/budgets/${budgetId}` }),
  }),

  // Workloads of `bench growth`: a page deep in the list of movements, a page with the total count, and a page of changes.
  deep: ({ pageCursor }) => ({
    expected: 200,
    next: () => ({ method: 'GET', path: `/movements?limit=10&cursor=${pageCursor}` }),
  }),

  total: () => ({
    expected: 200,
    next: () => ({ method: 'GET', path: '/movements?limit=50&includeTotal=true' }),
  }),

  changes: () => ({
    expected: 200,
    next: () => ({ method: 'GET', path: '/changes?limit=50' }),
  }),
};

/** Returns the items that belong to this connection alone. */
function shareOf(items, { number, count }) {
  return items.filter((_, index) => index % count === number);
}

function entityTagOf({ head }) {
  return /^etag: (.+)$/im.exec(head)?.[1] ?? '';
}

function anyOf(items) {
  return items[randomInt(items.length)];
}

/** Returns an amount from 1.00 to 99.99. */
function anyAmount() {
  return (randomInt(100, 10_000) / 100).toFixed(2);
}
