import type { SeededBug } from '../seeded-bug.js';

const totp = 'apps/server/src/identity/totp/totp.ts';
const codes = { package: 'apps/server', file: 'src/identity/totp/totp.db.test.ts' } as const;
const fallback = 'apps/server/src/rate-limit/fallback-store.ts';
const ofFallback = { package: 'apps/server', file: 'src/rate-limit/fallback-store.test.ts' } as const;

/** Mistakes with one-time codes, with the keys of an issuer, and with rate limits. */
export const bugsOfIdentityAndLimits: readonly SeededBug[] = [
  {
    name: 'used time steps are ignored: an attacker who has seen a code can use it again',
    changes: [
      { file: totp, from: 'if (step === null || isStepUsed(secret.usedSteps, step))', to: 'if (step === null)' },
    ],
    caughtBy: { ...codes, title: 'accepts a code only once when 20 parallel requests send it' },
  },
  {
    name: 'failures are counted after the check: all concurrent guesses are checked, and counted as one',
    changes: [
      {
        file: totp,
        from: 'await updateCodeFailures(tx, { userId, failedAt: decision.failedAtIfWrong });',
        to: '',
      },
      {
        file: totp,
        from: 'return { session: { ...session, amr }, ended };\n  });\n  if (outcome === null) {',
        to: `return { session: { ...session, amr }, ended };
  });
  if (outcome === null) {
    await identityTransaction(dependencies.database, async (tx) => {
      const row = await lockTotp(tx, userId);
      const attempt = decideCodeAttempt(row?.failedAt ?? [], now);
      if (attempt.isAllowed) await updateCodeFailures(tx, { userId, failedAt: attempt.failedAtIfWrong });
    });`,
      },
    ],
    caughtBy: {
      ...codes,
      title: 'returns 429 after five failures, also for a correct code, until 15 minutes after the first failure',
    },
  },
  {
    name: 'no pause after a failure: an issuer that is down gets a request for every token',
    changes: [
      {
        file: 'apps/server/src/identity/external/remote-key-set.ts',
        from: `tried: { atMs, failure: failure ?? 'unknown' } }`,
        to: 'tried: state.tried }',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/identity/external/remote-key-set.test.ts',
      title:
        'tries to load the keys once for 100 concurrent verifications when no keys are known, and fails with 503 for 30 s',
    },
  },
  {
    name: 'a limit for each process: a second server doubles the limit',
    changes: [
      {
        file: fallback,
        from: 'const result = await this.#shared[method](bucket);',
        to: 'const result = await this.#local[method](bucket);',
      },
    ],
    caughtBy: { ...ofFallback, title: 'FallbackStore uses only the shared store while it answers' },
  },
  {
    name: 'a limiter that fails open: without Redis there is no limit',
    changes: [
      {
        file: fallback,
        from: 'this.#markUnavailable(error);\n      return this.#local[method](bucket);',
        to: 'this.#markUnavailable(error);\n      return { isAllowed: true, microsUntilFull: 0 };',
      },
    ],
    caughtBy: {
      ...ofFallback,
      title: 'continues each bucket from its last state in the shared store, so that no caller gets a full bucket',
    },
  },
];
