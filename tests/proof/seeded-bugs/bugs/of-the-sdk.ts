import type { SeededBug } from '../seeded-bug.js';

const decision = 'packages/sdk/src/transport/retry-decision.ts';
const ofDecision = { package: 'packages/sdk', file: 'src/transport/retry-decision.test.ts' } as const;

/** Bugs of the client that run a write twice or hide its result. */
export const bugsOfTheSdk: readonly SeededBug[] = [
  {
    name: 'SDK: creates a key for each attempt, so that a retry is another write',
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
      title: 'is the same in all attempts, and all attempts send the same body',
    },
  },
  {
    name: 'SDK: retries a write without a key after a lost connection',
    changes: [{ file: decision, from: `if (callKind === 'unkeyed-write') return false;`, to: '' }],
    caughtBy: {
      ...ofDecision,
      title:
        'retries reads and writes with an idempotency key, and no other write, after a lost connection or a malformed response',
    },
  },
  {
    name: 'SDK: retries all conflicts, also those that only the caller can resolve',
    changes: [
      {
        file: decision,
        from: `return failure.code === 'IDEMPOTENCY_IN_PROGRESS' ||`,
        to: 'return failure.status === 409 ||',
      },
    ],
    caughtBy: {
      ...ofDecision,
      title: 'retries a write after a conflict only if a request with its key is in progress',
    },
  },
];
