import { type Answer, type Call, callsTo } from '../../acceptance/support/call-api.js';
import { type Effect, kinds } from './effects.js';
import type { Ship } from './fleet.js';
import { type Intent, operations } from './intents.js';
import { insist, isSuccess } from './retry-until-final.js';
import { chanceOf } from './seeded-chance.js';
import { newTally } from './tally.js';
import type { TenantWithBooks } from './tenants-with-books.js';

/** The requests of all customers, and the impossible answers. */
export function newExperience() {
  return {
    done: newTally('writes', 'sent', 'answered', 'answered500', 'answered503', 'duplicates', 'reads'),
    wrong: newTally('refused', 'answersNamingAnotherId', 'secondFirstAnswers', 'unseenAfterTheAnswer'),
    /** The id in the answers for each marker. Nothing else of the answers is stored, to limit memory. */
    told: new Map<Effect, Map<string, string>>(
      [...kinds, 'an income' as const].map((effect) => [effect, new Map<string, string>()]),
    ),
  };
}

export type Experience = ReturnType<typeof newExperience>;

const duplicatesAtOnce = [1, 1, 1, 2, 2, 3, 4] as const;
const readsPerWrite = 0.1;

/**
 * Sends one write to several servers at once, retries until there is an answer, and sometimes reads the record. The
 * seed and the number determine the write, the copies and the servers.
 * @throws Error if it never gets an answer
 */
export async function wantOneThing(
  number: number,
  world: {
    readonly seed: number;
    readonly fleet: readonly Ship[];
    readonly tenants: readonly [TenantWithBooks, ...TenantWithBooks[]];
    readonly experience: Experience;
  },
): Promise<void> {
  const { seed, fleet, experience } = world;
  const marker = `chaos-${number}`;
  const chance = chanceOf(seed, marker);
  const kind = chance.oneOf(kinds);
  const { headers, books } = chance.oneOf(world.tenants);
  let turn = Math.floor(chance.next() * fleet.length);

  /** Sends a request to the next server after each one that does not answer. */
  const callAnyone: Call = (methodAndPath, options) =>
    insist(methodAndPath, () => {
      turn += 1;
      return countAnswer(experience, callsTo(originOf(fleet, turn), headers)(methodAndPath, options));
    });
  const intent = await operations[kind]({ ...books, call: callAnyone }, marker);
  const { first } = intent;
  experience.done.writes += first === undefined ? 1 : 2;
  if (first !== undefined) experience.told.get(first.effect)?.set(first.marker, first.id);
  const copies = chance.oneOf(duplicatesAtOnce);
  experience.done.duplicates += copies - 1;
  const answers = await Promise.all(Array.from({ length: copies }, () => callAnyone(intent.methodAndPath, intent)));
  const id = judge(answers, { intent, experience });
  if (id === undefined) return;
  experience.told.get(kind)?.set(marker, id);
  if (!chance.hits(readsPerWrite)) return;
  const seen = await callAnyone(`GET ${intent.pathOf(id)}`);
  experience.done.reads += 1;
  if (!JSON.stringify(seen.data).includes(id)) experience.wrong.unseenAfterTheAnswer += 1;
}

/** @returns the id in the answers, or undefined if one is a refusal */
function judge(
  answers: readonly Answer[],
  { intent, experience }: { readonly intent: Intent; readonly experience: Experience },
): string | undefined {
  const { wrong } = experience;
  const refused = answers.filter((answer) => !isSuccess(answer));
  wrong.refused += refused.length;
  const ids = new Set(answers.filter(isSuccess).map(({ data }) => intent.idOf(data)));
  if (ids.size > 1) wrong.answersNamingAnotherId += 1;
  const firsts = answers.filter((answer) => isSuccess(answer) && answer.meta.idempotentReplay !== true);
  if (firsts.length > 1) wrong.secondFirstAnswers += 1;
  return refused.length === 0 ? [...ids][0] : undefined;
}

async function countAnswer({ done }: Experience, sent: Promise<Answer>): Promise<Answer> {
  done.sent += 1;
  const answer = await sent;
  done.answered += 1;
  if (answer.status === 500) done.answered500 += 1;
  if (answer.status === 503) done.answered503 += 1;
  return answer;
}

function originOf(fleet: readonly Ship[], turn: number): string {
  const ship = fleet[turn % fleet.length] as Ship;
  return ship.cutter.origin;
}
