/**
 * The workloads that are measured in rounds. `load/conversations.mjs` has the requests of each workload, and `reference/` has its
 * pgbench script.
 */
export const workloads = [
  { id: 'W1', title: 'POST /movements' },
  { id: 'W2', title: 'GET /movements, newest 50 of an account' },
  { id: 'W3', title: 'GET /balances, 16 cashboxes' },
  { id: 'W4', title: 'POST /transfers' },
  { id: 'W5', title: 'PATCH /movements/{movementId}' },
  { id: 'W6', title: 'POST /movements, replay of a key' },
  { id: 'W7', title: 'GET /budgets/{budgetId}, 20 lines' },
] as const;

/** `centavo import` is measured separately, without rounds. The reference runs before and after it. */
export const importWorkload = { id: 'W8', title: 'centavo import' } as const;
