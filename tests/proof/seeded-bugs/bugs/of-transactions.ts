import type { SeededBug } from '../seeded-bug.js';

const pool = 'apps/server/src/database/pool.ts';
const transaction = 'apps/server/src/database/transaction.ts';
const ofPool = { package: 'apps/server', file: 'src/database/pool.db.test.ts' } as const;

/** Mistakes with transactions, connections and locks, and with the end of a process. */
export const bugsOfTransactions: readonly SeededBug[] = [
  {
    name: 'swallowed SQL error: a transaction that PostgreSQL rolled back is reported as committed',
    changes: [
      { file: transaction, from: 'this.#failure ??= { error };', to: '' },
      { file: transaction, from: "if (command !== 'COMMIT') throw", to: "if (command === '') throw" },
    ],
    caughtBy: {
      ...ofPool,
      title: 'the pool rejects a transaction in which a statement failed, even if the caller caught the error',
    },
  },
  {
    name: 'a COMMIT that was refused is reported as successful',
    changes: [
      {
        file: transaction,
        from: 'const { command } = await committed;',
        to: `const { command } = await committed.catch(() => ({ command: 'COMMIT' }));`,
      },
    ],
    caughtBy: { ...ofPool, title: 'the pool rejects a transaction when the COMMIT fails' },
  },
  {
    name: 'statements do not depend on BEGIN: if BEGIN is refused, each write is a separate transaction',
    changes: [
      {
        file: transaction,
        from: 'batch.prepend(this.#toPrepared(this.#begin()));',
        to: `const own = new Batch({ deadlines: this.#environment.deadlines, onFailure: () => {} });
          void own.add(this.#begin()).catch(() => {});
          this.#connection.query(own);`,
      },
    ],
    caughtBy: {
      ...ofPool,
      title: 'the pool runs no statement of the batch when BEGIN fails, and rejects the transaction with the reason',
    },
  },
  {
    name: 'a dead connection stays in the pool: the next transaction gets it',
    changes: [
      { file: pool, from: 'discard(connection, error);\n      throw isCommitting', to: 'throw isCommitting' },
      {
        file: pool,
        from: "if (connection.getTransactionStatus() !== 'I') discard",
        to: 'if (false) discard',
      },
    ],
    caughtBy: { ...ofPool, title: 'the pool discards a connection that no longer responds' },
  },
  {
    name: 'a statement that is sent with a ROLLBACK runs after it, outside the transaction',
    changes: [{ file: transaction, from: 'if (this.#isRolledBack) throw transactionOver();', to: '' }],
    caughtBy: {
      ...ofPool,
      title: 'the pool rejects a statement that is sent during ROLLBACK, and does not run it outside the transaction',
    },
  },
  {
    name: 'unsorted locks: each of two opposite transfers holds the lock that the other transfer needs',
    changes: [
      {
        file: 'apps/server/src/resources/transfers/transfers.queries.ts',
        from: `a.status = 'active')\n       order by c.id for update`,
        to: `a.status = 'active')\n       order by c.id <> :fromCashboxId for update`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/transfers/transfers.http.test.ts',
      title: 'locks the balances in the order of the cashbox ids, even if the source cashbox has the higher id',
    },
  },
  {
    name: 'revocation is checked only at authentication: an earlier write commits after the revocation',
    changes: [
      {
        file: 'apps/server/migrations/0010_authenticate.sql',
        from: `v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(p_secret_sha256, 'hex'), 1)) is null;`,
        to: 'null;',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/credentials/revocation.http.test.ts',
      title: 'completes only after an uncommitted write with the key has ended; later writes with the key are rejected',
    },
  },
  {
    name: 'shutdown without draining: requests in progress are aborted',
    changes: [
      {
        file: 'apps/server/src/http/drain.ts',
        from: 'server.closeIdleConnections();',
        to: 'server.closeAllConnections();',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/http/drain.test.ts',
      title: 'drainHttpServer finishes the response in progress, closes its connection, and accepts no new connection',
    },
  },
];
