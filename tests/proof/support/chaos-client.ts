import { type Answer, type Call, callsTo } from '../../acceptance/support/call-api.js';
import { type Effect, kinds } from './effects.js';
import type { FleetServer } from './fleet.js';
import { operations, type PreparedWrite } from './prepared-writes.js';
import { isSuccess, retryUntilFinal } from './retry-until-final.js';
import { seededRandom } from './seeded-random.js';
import { newTally } from './tally.js';
import type { TenantWithAccounts } from './tenants-with-accounts.js';

/** The requests of all clients, and the violations in their responses. */
export function newChaosResults() {
  return {
    done: newTally('writes', 'sent', 'answered', 'answered500', 'answered503', 'duplicates', 'reads'),
    violations: newTally('refused', 'answersNamingAnotherId', 'secondFirstAnswers', 'unseenAfterTheAnswer'),
    /** The id in the responses for each marker. Nothing else of the responses is stored, to limit memory. */
    acknowledged: new Map<Effect, Map<string, string>>(
      [...kinds, 'an income' as const].map((effect) => [effect, new Map<string, string>()]),
    ),
  };
}

export type ChaosResults = ReturnType<typeof newChaosResults>;

const copiesOfWrite = [1, 1, 1, 2, 2, 3, 4] as const;
const readsPerWrite = 0.1;

/**
 * Sends one to four copies of a write concurrently, retries each until its response is final, and sometimes reads the record.
 * `seed` and `number` determine the write, how many copies are sent, and the server of the first request.
 * @throws Error if a copy never gets a final response
 */
export async function sendOneWrite(
  number: number,
  environment: {
    readonly seed: number;
    readonly fleet: readonly FleetServer[];
    readonly tenants: readonly [TenantWithAccounts, ...TenantWithAccounts[]];
    readonly results: ChaosResults;
  },
): Promise<void> {
  const { seed, fleet, results } = environment;
  const marker = `chaos-${number}`;
  const random = seededRandom(seed, marker);
  const kind = random.oneOf(kinds);
  const { headers, accounts } = random.oneOf(environment.tenants);
  let turn = Math.floor(random.next() * fleet.length);

  /** Sends a request to one server after another until a response is final. */
  const callNextServer: Call = (methodAndPath, options) =>
    retryUntilFinal(methodAndPath, () => {
      turn += 1;
      return countAnswer(results, callsTo(originOf(fleet, turn), headers)(methodAndPath, options));
    });
  const prepared = await operations[kind]({ ...accounts, call: callNextServer }, marker);
  const { first } = prepared;
  results.done.writes += first === undefined ? 1 : 2;
  if (first !== undefined) results.acknowledged.get(first.effect)?.set(first.marker, first.id);
  const copies = random.oneOf(copiesOfWrite);
  results.done.duplicates += copies - 1;
  const answers = await Promise.all(
    Array.from({ length: copies }, () => callNextServer(prepared.methodAndPath, prepared)),
  );
  const id = checkAnswers(answers, { prepared, results });
  if (id === undefined) return;
  results.acknowledged.get(kind)?.set(marker, id);
  if (!random.hits(readsPerWrite)) return;
  const seen = await callNextServer(`GET ${prepared.pathOf(id)}`);
  results.done.reads += 1;
  if (!JSON.stringify(seen.data).includes(id)) results.violations.unseenAfterTheAnswer += 1;
}

/** Checks the responses to all copies of a write. @returns the id in the responses, or undefined if one is a refusal */
function checkAnswers(
  answers: readonly Answer[],
  { prepared, results }: { readonly prepared: PreparedWrite; readonly results: ChaosResults },
): string | undefined {
  const { violations } = results;
  const refused = answers.filter((answer) => !isSuccess(answer));
  violations.refused += refused.length;
  const ids = new Set(answers.filter(isSuccess).map(({ data }) => prepared.idOf(data)));
  if (ids.size > 1) violations.answersNamingAnotherId += 1;
  const firstAnswers = answers.filter((answer) => isSuccess(answer) && answer.meta.idempotentReplay !== true);
  if (firstAnswers.length > 1) violations.secondFirstAnswers += 1;
  return refused.length === 0 ? [...ids][0] : undefined;
}

async function countAnswer({ done }: ChaosResults, sent: Promise<Answer>): Promise<Answer> {
  done.sent += 1;
  const answer = await sent;
  done.answered += 1;
  if (answer.status === 500) done.answered500 += 1;
  if (answer.status === 503) done.answered503 += 1;
  return answer;
}

function originOf(fleet: readonly FleetServer[], turn: number): string {
  const server = fleet[turn % fleet.length] as FleetServer;
  return server.cutter.origin;
}
