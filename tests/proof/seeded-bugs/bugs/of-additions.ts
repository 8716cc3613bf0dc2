import type { SeededBug } from '../seeded-bug.js';

const dryRuns = 'src/http/dry-run.http.test.ts';
const voids = 'src/resources/movements/void-movement.http.test.ts';

/** Mistakes with bulk requests, dry runs, voids, summaries and MCP tools. */
export const bugsOfAdditions: readonly SeededBug[] = [
  {
    name: 'an item of a bulk request has another fingerprint than a single post: a retry as a single post is refused',
    changes: [
      {
        file: 'apps/server/src/resources/movements/bulk-movements.endpoints.ts',
        from: `      trackerId: tracker.id,
      body,
    });`,
        to: `      trackerId: tracker.id,
      body: item,
    });`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/bulk-movements.http.test.ts',
      title: 'replays a movement that POST /movements recorded under the same idempotency key, and vice versa',
    },
  },
  {
    name: 'external ids are inserted in the order of the request: opposite orders deadlock',
    changes: [
      {
        file: 'apps/server/src/resources/movements/bulk-movements.queries.ts',
        from: 'from item order by item.account_id, item.external_id',
        to: 'from item',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/bulk-movements.http.test.ts',
      title:
        'two concurrent bulk requests with the same external ids in opposite order do not deadlock, and only one is recorded',
    },
  },
  {
    name: 'a dry run commits',
    changes: [
      {
        file: 'apps/server/src/database/pool.ts',
        from: `        await tx.rollback().catch((failure: unknown) => discard(connection, failure));
        return result;`,
        to: `        await tx.commit({ readsPosition: false });
        return result;`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: dryRuns,
      title:
        'returns 200 with the result, null for generated values, and the change of the balance, and records nothing',
    },
  },
  {
    name: 'a dry run shows balances to a key that may not read them',
    changes: [
      {
        file: 'apps/server/src/http/dry-run.ts',
        from: "return principal.scopes.includes('balances:read') && (",
        to: 'return principal.scopes.length > 0 && (',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: dryRuns,
      title:
        'returns null as effects.balances to a credential without balances:read, for a new movement, a replay and a bulk request',
    },
  },
  {
    name: 'a void does not change the balance',
    changes: [
      {
        file: 'apps/server/src/resources/movements/movements.queries.ts',
        from: 'balance = c.balance - case when voided.type',
        to: 'balance = c.balance - 0 * case when voided.type',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: voids,
      title: 'removes the movement from the balance, list and total, but GET /movements/{movementId} still returns it',
    },
  },
  {
    name: 'a summary counts transfers as expenses and incomes',
    changes: [
      {
        file: 'apps/server/src/resources/movements/summarize-movements.queries.ts',
        from: `"m.kind = 'regular'", `,
        to: '',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: voids,
      title: 'exclude voided movements; the summary excludes transfers, but the balances include them',
    },
  },
  {
    name: 'a tool ignores the scopes of its operation: every caller may run it',
    changes: [
      {
        file: 'apps/server/src/http/mcp/handler-executor.ts',
        from: 'this.#run({ endpoint: found, pathParameters,',
        to: `this.#run({
        endpoint: { ...found, route: { ...found.route, call: { ...found.route.call, scopes: [] } } },
        pathParameters,`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/http/mcp/mcp-matrix.http.test.ts',
      title: 'refuses the same callers as its operation ($name, tracker: $header)',
    },
  },
];
