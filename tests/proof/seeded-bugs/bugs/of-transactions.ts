import type { SeededBug } from '../seeded-bug.js';

const door = 'apps/server/src/database/database.ts';
const transaction = 'apps/server/src/database/transaction.ts';
const lines = 'apps/server/src/database/lines.ts';
const line = 'apps/server/src/database/line.ts';
const ofSharing = { package: 'apps/server', file: 'src/database/shared-connections.db.test.ts' } as const;
const ofSharingBehindOthers = {
  package: 'apps/server',
  file: 'src/database/shared-connections-behind-others.db.test.ts',
} as const;
const ofDoor = { package: 'apps/server', file: 'src/database/database.db.test.ts' } as const;

/** Mistakes with transactions, connections and locks, and with the end of a process. */
export const bugsOfTransactions: readonly SeededBug[] = [
  {
    name: 'swallowed SQL error: a transaction that PostgreSQL rolled back is taken for done',
    changes: [
      { file: transaction, from: 'this.#failure ??= { error };', to: '' },
      { file: transaction, from: "if (command !== 'COMMIT') throw", to: "if (command === '') throw" },
    ],
    caughtBy: {
      ...ofDoor,
      title: 'fails as a whole when a statement failed, though nobody said so: PostgreSQL has rolled it back',
    },
  },
  {
    name: 'a COMMIT that was refused is taken for done',
    changes: [
      {
        file: transaction,
        from: 'const { command } = await committed;',
        to: `const { command } = await committed.catch(() => ({ command: 'COMMIT' }));`,
      },
    ],
    caughtBy: { ...ofDoor, title: 'fails when the COMMIT is refused' },
  },
  {
    name: 'no statement depends on those in front of it: where BEGIN is refused, a write is a transaction of its own',
    changes: [
      {
        file: transaction,
        from: 'this.#seat.connection.query(trip);',
        to: `for (const passenger of passengers) {
      const onEnd = () => passenger === passengers.at(-1) && this.#seat.answered();
      this.#seat.connection.query(new Trip({ passengers: [passenger], onFailure, onEnd, answerMsMax, deadlines }));
    }`,
      },
    ],
    caughtBy: {
      ...ofDoor,
      title: 'does nothing where BEGIN was refused: what travels with it is not carried out, and is told why',
    },
  },
  {
    name: 'a dead connection is not thrown away: whoever comes next gets it',
    changes: [
      { file: door, from: 'discard(connection, error);\n      throw isCommitting', to: 'throw isCommitting' },
      {
        file: lines,
        from: 'if (isInTransaction(connection)) discard',
        to: 'if (false) discard',
      },
    ],
    caughtBy: { ...ofDoor, title: 'gives a connection that broke to nobody else' },
  },
  {
    name: 'what is sent beside a ROLLBACK is carried out behind it, in no transaction',
    changes: [{ file: transaction, from: 'if (this.#isRolledBack) throw transactionOver();', to: '' }],
    caughtBy: {
      ...ofDoor,
      title: 'carries out nothing behind the ROLLBACK, in no transaction, of what is sent while that is under way',
    },
  },
  {
    name: 'a read that gave up, and ends late, leaves its transaction open to whoever comes next',
    changes: [
      { file: line, from: 'this.#isUnfinished = !this.#hasSentAll;', to: '' },
      { file: line, from: ' || isInTransaction(this.connection)', to: '' },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/database/line.test.ts',
      title: 'with more to send gives up for good, also where its answers come before it leaves',
    },
  },
  {
    name: 'a read is sent into the middle of a transaction that is not over',
    changes: [
      { file: line, from: 'this.#seats.at(-1)?.hasSentAll !== true || ', to: '' },
      { file: line, from: ' || isInTransaction(this.connection)', to: '' },
    ],
    caughtBy: {
      ...ofSharing,
      title: 'nothing is sent behind a transaction that writes, nor behind one that may read more',
    },
  },
  {
    name: 'a read is told that the connection is lost by which the one in front of it was killed',
    changes: [
      {
        file: door,
        from: 'if (seat.isRide && readOnly && tx.hasFailed && isOfOthersInFront(error))',
        to: 'if (isWithoutWrites(error))',
      },
    ],
    caughtBy: {
      ...ofSharingBehindOthers,
      title: 'reads behind one whose backend is killed have their answers from another',
    },
  },
  {
    name: 'a ROLLBACK that nobody needs comes into the transaction behind',
    changes: [{ file: transaction, from: ' && !this.#isOnePacket) await', to: ') await' }],
    caughtBy: {
      ...ofSharingBehindOthers,
      title: 'a read of several packets keeps its transaction, whatever becomes of the one in front',
    },
  },
  {
    name: 'rows are read as what is prepared when they come, not when they were asked for',
    changes: [
      {
        file: 'apps/server/src/database/trip.ts',
        from: 'this.#readRow = this.#known[this.#answers.length];',
        to: `this.#readRow = preparedOn.get(this.#wire)?.get(this.#passengers[this.#answers.length]?.statement.name);`,
      },
    ],
    caughtBy: {
      ...ofSharing,
      title: 'a read has the columns of its statement, whatever becomes of those that prepare it in front',
    },
  },
  {
    name: 'unsorted locks: opposite transfers hold what the other one needs',
    changes: [
      {
        file: 'apps/server/src/resources/transfers/transfers.queries.ts',
        from: 'order by c.id for update',
        to: 'order by c.id <> :fromCashboxId for update',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/transfers/transfers.http.test.ts',
      title: 'takes the balances in the order of their ids, whichever way the money goes',
    },
  },
  {
    name: 'revocation is seen at the door alone: a write that was let in commits after it',
    changes: [
      {
        file: 'apps/server/migrations/0022_lock_of_a_membership.sql',
        from: `v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(p_secret_sha256, 'hex'), 1)) is null;`,
        to: 'null;',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/credentials/revocation.http.test.ts',
      title: 'is answered after a write that was let in before it, and lets none in after it',
    },
  },
  {
    name: 'shutdown without draining: who is being served is cut off',
    changes: [
      {
        file: 'apps/server/src/http/drain-http-server.ts',
        from: 'server.closeIdleConnections();',
        to: 'server.closeAllConnections();',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/http/drain-http-server.test.ts',
      title: 'who is being served gets a whole answer and is asked to leave, and nobody else is let in',
    },
  },
];
