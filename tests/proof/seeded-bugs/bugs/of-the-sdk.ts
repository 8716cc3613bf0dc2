import type { SeededBug } from '../seeded-bug.js';

const decision = 'packages/sdk/src/transport/retry-decision.ts';
const ofDecision = { package: 'packages/sdk', file: 'src/transport/retry-decision.test.ts' } as const;

/** Mistakes of the client that make two effects of one call, or hide what became of it. */
export const bugsOfTheSdk: readonly SeededBug[] = [
  {
    name: 'SDK: a key for each attempt, so that a retry is another intent',
    changes: [
      {
        file: 'packages/sdk/src/transport/send-request.ts',
        from: 'const outcome = await sendAttempt<Data>(transport, request, {',
        to: `const headers = { ...request.headers, ...(idempotencyKey === null ? {} : { 'idempotency-key': transport.createKey() }) };
    const outcome = await sendAttempt<Data>(transport, { ...request, headers }, {`,
      },
    ],
    caughtBy: {
      package: 'packages/sdk',
      file: 'src/transport/send-request.test.ts',
      title: 'one key is used on every attempt of one call, with the same bytes',
    },
  },
  {
    name: 'SDK: a write without a key is repeated after a lost connection',
    changes: [{ file: decision, from: `if (callKind === 'unkeyed-write') return false;`, to: '' }],
    caughtBy: { ...ofDecision, title: 'after a lost connection or an answer that is not understood: the same' },
  },
  {
    name: 'SDK: every conflict is repeated, also one that only its caller can resolve',
    changes: [
      {
        file: decision,
        from: `return failure.code === 'IDEMPOTENCY_IN_PROGRESS' ||`,
        to: 'return failure.status === 409 ||',
      },
    ],
    caughtBy: { ...ofDecision, title: 'after a conflict: only a key whose first request is still running' },
  },
];
