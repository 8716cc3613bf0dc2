import { beforeAll, beforeEach, expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { type AuthenticatorUser, registerAuthenticatorUser, stepMs } from './support/authenticator-user.js';
import { drawBelow } from './support/draw.js';
import { type Clock, movableClock, takeClock } from './support/move-clock.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { runConcurrently } from './support/run-concurrently.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';

const rounds = isLong ? 2 : 3;
const copies = isLong ? 2_000 : 60;
const guessers = isLong ? 5 : 2;
// The share of the available time in which the test may start another guesser.
const shareOfGuessing = 0.4;
const guessesInAWindow = isLong ? 4_200 : 70;
const connections = isLong ? 200 : 50;
const evaluatedMax = 5;
const windowMs = 15 * 60_000;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let origins: [string, string];
let clock: Clock;

beforeAll(async () => {
  const env = { ...movableClock, RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };
  const first = await sandbox.startServer({ dataDir, env });
  const { connectionString } = await getPostgresOf(dataDir);
  const second = await sandbox.startServer({ env: { ...env, DATABASE_URL: connectionString } });
  origins = [first.origin, second.origin];
  clock = takeClock(origins);
});
// Stops the clock: on a busy machine a code could expire during a test, and its refusal would prove nothing.
beforeEach(() => clock.stopAt(Math.ceil(Date.now() / stepMs) * stepMs + stepMs / 2));

const originAt = (position: number) => origins[position % origins.length] as string;
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

it('the server accepts a one-time code once when many requests send it to several processes concurrently', async () => {
  const violations = newTally('acceptedAgain', 'neverAccepted', 'evaluatedTooOften', 'answeredOtherwise');
  const injected = newTally('rounds', 'copies', 'refusedAsUsed', 'refusedUnseen', 'refusedForTheLimit');
  for (let round = 0; round < rounds; round += 1) {
    const user = await registerAuthenticatorUser(origins[0], clock);
    const code = await user.codeOf(1);
    const statuses = await runConcurrently({ times: copies, concurrency: connections }, async (position) => {
      const { status } = await user.sendCode(code, originAt(position));
      return status;
    });
    const [accepted = 0, used = 0, unchecked = 0, unavailable = 0] = [200, 401, 429, 503].map((status) =>
      countOf(statuses, status),
    );
    injected.rounds += 1;
    injected.copies += copies;
    injected.refusedAsUsed += used;
    injected.refusedUnseen += unchecked;
    // The server may return 503, because there are more concurrent requests than database connections.
    injected.refusedForTheLimit += unavailable;
    violations.acceptedAgain += Math.max(0, accepted - 1);
    if (accepted === 0) violations.neverAccepted += 1;
    violations.evaluatedTooOften += Math.max(0, used - evaluatedMax);
    violations.answeredOtherwise += copies - accepted - used - unchecked - unavailable;
  }
  await recordProof({
    id: 'T13',
    promise: 'A one-time code is accepted once when many requests send it concurrently',
    seed: null,
    injected,
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

/** Returns codes that are not valid now. */
async function wrongCodes(
  user: AuthenticatorUser,
  { random, count }: { readonly random: SeededRandom; readonly count: number },
) {
  const right = new Set(await Promise.all([-1, 0, 1].map((steps) => user.codeOf(steps))));
  return Array.from({ length: count }, () => {
    for (;;) {
      const code = String(drawBelow(random, 1_000_000)).padStart(6, '0');
      if (!right.has(code)) return code;
    }
  });
}

it('the server checks at most five wrong one-time codes of a user in 15 minutes, even over many connections', async () => {
  const violations = newTally(
    'evaluatedTooMany',
    'evaluatedTooFew',
    'evaluatedInAFullWindow',
    'rightCodeInAFullWindow',
    'accepted',
  );
  const injected = newTally('windows', 'guesses', 'evaluated', 'rightCodesInFullWindows');
  const endsAt = performance.now() + shareOfGuessing * proofMsMax;
  for (let guesser = 0; guesser < guessers && performance.now() < endsAt; guesser += 1) {
    const random = seededRandom(proofSeed, `guesser ${guesser}`);
    const user = await registerAuthenticatorUser(origins[0], clock);
    const guess = async () => {
      const codes = await wrongCodes(user, { random, count: guessesInAWindow });
      const statuses = await runConcurrently({ times: codes.length, concurrency: connections }, async (position) => {
        const { status } = await user.sendCode(codes[position] ?? '', originAt(position));
        return status;
      });
      injected.guesses += codes.length;
      violations.accepted += countOf(statuses, 200);
      return countOf(statuses, 401);
    };
    for (let window = 0; window < 3; window += 1) {
      const evaluated = await guess();
      injected.windows += 1;
      injected.evaluated += evaluated;
      violations.evaluatedTooMany += Math.max(0, evaluated - evaluatedMax);
      violations.evaluatedTooFew += Math.max(0, evaluatedMax - evaluated);
      injected.rightCodesInFullWindows += 1;
      const { status } = await user.sendCode(await user.codeOf(1), origins[1]);
      if (status !== 429) violations.rightCodeInAFullWindow += 1;
      // A millisecond before the end of the window, the server must still refuse guesses without a check.
      await clock.move(windowMs - 1);
      await user.logIn();
      violations.evaluatedInAFullWindow += await guess();
      await clock.move(1);
    }
    // The right code is accepted in the next window. Otherwise its refusal in the full window would prove nothing.
    if ((await user.sendCode(await user.codeOf(0), origins[1])).status !== 200) violations.evaluatedTooFew += 1;
  }
  await recordProof({
    id: 'T13',
    promise:
      'At most five wrong one-time codes of a user are checked in any 15 minutes; further codes are refused, even the right one',
    seed: proofSeed,
    injected: { ...injected, connections },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

it('the server accepts only the one-time codes of the previous, the current and the next time step', async () => {
  const violations = newTally('wronglyAccepted', 'wronglyRefused');
  const injected = newTally('codes', 'accepted', 'refused');
  const user = await registerAuthenticatorUser(origins[0], clock);
  const start = Math.ceil(clock.now() / stepMs) * stepMs;
  let moments = 0;
  for (const withinStepMs of isLong ? [0, 1, 14_999, 29_000, stepMs - 1] : [0, stepMs - 1]) {
    for (let driftSeconds = -90; driftSeconds <= 90; driftSeconds += 15) {
      moments += 1;
      // Moves the clock, so that each code has its own failure window and is later than all codes that were accepted before.
      await clock.stopAt(start + moments * 2 * windowMs + withinStepMs);
      await user.logIn();
      const steps = driftSeconds / (stepMs / 1000);
      const { status } = await user.sendCode(await user.codeOf(steps), originAt(moments));
      const stepsApart = Math.floor(withinStepMs / stepMs + steps);
      const isNear = Math.abs(stepsApart) <= 1;
      injected.codes += 1;
      if (status === 200) injected.accepted += 1;
      else injected.refused += 1;
      if (status === 200 && !isNear) violations.wronglyAccepted += 1;
      if (status !== 200 && isNear) violations.wronglyRefused += 1;
    }
  }
  await recordProof({
    id: 'T13',
    promise:
      'A one-time code is valid only in its 30-second time step and in the steps directly before and after it; tested with clocks up to 90 s off',
    seed: null,
    injected,
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
