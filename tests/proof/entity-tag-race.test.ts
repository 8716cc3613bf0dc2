import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, type Call, callsTo } from '../acceptance/support/call-api.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { drawBelow, drawFrom } from './support/draw.js';
import { prepareAccounts } from './support/prepared-writes.js';
import { isLate, isLong, proofSeed, recordProof } from './support/proof-record.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { createTenant, succeed } from './support/tenants.js';

const clients = 16;
const movementCount = 50;
const corrections = isLong ? 20_000 : 1_000;

/** A movement that several clients correct, with the accepted corrections. */
interface Contended {
  readonly id: string;
  /** Its ETags, from version 1 on. A client adds a tag only after the response to its correction, so the last tag may be stale. */
  readonly tags: string[];
  successes: number;
  /** The amounts of the accepted corrections, by the version that each created. Two corrections must not create the same version. */
  readonly amountAfter: Map<number, string>;
}

const sandbox = openSandbox();
let calls: Call[];
let movements: Contended[];
let accountId: string;

beforeAll(async () => {
  const dataDir = sandbox.newDataDir();
  const servers = [await sandbox.startServer({ dataDir }), await sandbox.startServer({ dataDir })];
  const origin = servers[0]?.origin ?? '';
  const { asUser, asProgram } = await createTenant(origin);
  calls = servers.map((server) => callsTo(server.origin, asProgram));
  ({ accountId } = await prepareAccounts(callsTo(origin, asUser)));
  movements = await Promise.all(Array.from({ length: movementCount }, recordMovement));
});

async function recordMovement(): Promise<Contended> {
  const answer = await callOf(0)('POST /v1/financial/movements', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { type: 'income', amountDecimal: '1.00', accountId },
  });
  return { id: answer.data.id, tags: [tagOf(answer)], successes: 0, amountAfter: new Map() };
}

const callOf = (turn: number) => calls[turn % calls.length] as Call;
const tagOf = (answer: Answer) => answer.headers.get('ETag') ?? '';
const newest = ({ tags }: Contended) => tags.at(-1) ?? '';

/** An If-Match header, and the tags that the header names. The tags are null if the contract rejects the header itself. */
interface Condition {
  readonly header: string;
  readonly named: readonly string[] | null;
}

const conditions: Readonly<Record<string, (movement: Contended, random: SeededRandom) => Condition>> = {
  current: (movement) => naming(newest(movement)),
  stale: ({ tags }, random) => naming(drawFrom(random, tags)),
  list: (movement, random) => naming(drawFrom(random, movement.tags), newest(movement), '"made-up,with,commas"'),
  'list without a current one': (movement) => naming(...movement.tags.slice(0, -1).slice(-5), '"made-up"'),
  'of another movement': (_, random) => naming(newest(drawFrom(random, movements))),
  any: () => ({ header: '*', named: null }),
  weak: (movement) => ({ header: `W/${newest(movement)}`, named: null }),
  'list with a weak one': (movement) => ({ header: `${newest(movement)}, W/"weak"`, named: null }),
  malformed: (movement, random) => ({
    header: drawFrom(random, [
      newest(movement).slice(1, -1),
      newest(movement).slice(0, -1),
      `'${newest(movement).slice(1, -1)}'`,
      `${newest(movement)} ${newest(movement)}`,
      `*, ${newest(movement)}`,
      'null',
      '',
    ]),
    named: null,
  }),
};
// About half of the requests have a current tag, so that clients race.
const conditionNames = [...Array.from({ length: 8 }, () => 'current'), 'list', ...Object.keys(conditions)];

function naming(...named: readonly string[]): Condition {
  return { header: named.join(', '), named };
}

const violations = newTally(
  'a version corrected twice',
  'success by a tag that was not current',
  'refused although its tag was current',
  'a bad If-Match not refused as 400',
  'another refusal than 400 or 409',
  'answers 5xx',
  'a replay that is not the first answer',
  'version is not 1 + successes',
  'the last ETag is not that of the last success',
  'the balance is not that of the movements',
);
const seen = newTally('corrections', 'successes', 'conflicts', 'badHeaders', 'replays');

async function correctRepeatedly(client: number): Promise<void> {
  const random = seededRandom(proofSeed, `client ${client}`);
  for (let turn = client; turn < corrections && !isLate(); turn += clients) {
    // Most requests correct one of the same five movements.
    const movement = drawFrom(random, random.hits(0.7) ? movements.slice(0, 5) : movements);
    const name = drawFrom(random, conditionNames);
    const condition = (conditions[name] as (typeof conditions)[string])(movement, random);
    const request = {
      headers: { 'Idempotency-Key': randomUUID(), 'If-Match': condition.header },
      // Each correction writes another amount, so that each success changes the movement.
      body: { amountDecimal: `${2 + turn}.${String(drawBelow(random, 100)).padStart(2, '0')}` },
    };
    const path = `PATCH /v1/financial/movements/${movement.id}`;
    const answer = await callOf(turn)(path, request);
    seen.corrections += 1;
    checkAnswer(answer, { movement, condition, amount: request.body.amountDecimal });
    if (answer.status === 200 && random.hits(0.2)) {
      // The success has made the tag stale, but a retry with the same key gets the same response.
      const replay = await callOf(turn + 1)(path, request);
      seen.replays += 1;
      const isSame = replay.meta?.idempotentReplay === true && tagOf(replay) === tagOf(answer);
      if (!isSame || replay.data.version !== answer.data.version)
        violations['a replay that is not the first answer'] += 1;
    }
  }
}

function checkAnswer(
  answer: Answer,
  { movement, condition, amount }: { movement: Contended; condition: Condition; amount: string },
): void {
  const { named } = condition;
  const isRefused = (status: number, code: string) => answer.status === status && answer.error.code === code;
  if (answer.status >= 500) violations['answers 5xx'] += 1;
  else if (named === null) {
    seen.badHeaders += 1;
    if (!isRefused(400, 'VALIDATION_ERROR')) violations['a bad If-Match not refused as 400'] += 1;
  } else if (answer.status === 200) {
    seen.successes += 1;
    movement.successes += 1;
    const { version } = answer.data;
    if (movement.amountAfter.has(version)) violations['a version corrected twice'] += 1;
    movement.amountAfter.set(version, amount);
    // A client can name only tags that are in `tags`, so `tags` must contain the tag of the previous version.
    if (!named.includes(movement.tags[version - 2] ?? '')) violations['success by a tag that was not current'] += 1;
    movement.tags[version - 1] = tagOf(answer);
  } else if (isRefused(409, 'VERSION_CONFLICT')) {
    seen.conflicts += 1;
    if (named.includes(answer.error.details.currentEtag)) violations['refused although its tag was current'] += 1;
  } else violations['another refusal than 400 or 409'] += 1;
}

it('the server accepts each ETag once while sixteen clients correct the same movements', async () => {
  await Promise.all(Array.from({ length: clients }, (_, client) => correctRepeatedly(client)));

  let cents = 100_000;
  for (const movement of movements) {
    const answer = await callOf(1)(`GET /v1/financial/movements/${movement.id}`);
    const { version, amountDecimal } = answer.data;
    if (version !== 1 + movement.successes) violations['version is not 1 + successes'] += 1;
    const isLast =
      tagOf(answer) === newest(movement) && amountDecimal === (movement.amountAfter.get(version) ?? '1.00');
    if (!isLast) violations['the last ETag is not that of the last success'] += 1;
    cents += Number(amountDecimal.replace('.', ''));
  }
  const balances: { accountId: string; balanceDecimal: string }[] = await succeed(
    callOf(0),
    'GET /v1/financial/balances',
  );
  const balance = balances.find((row) => row.accountId === accountId)?.balanceDecimal ?? '';
  if (Number(balance.replace('.', '')) !== cents) violations['the balance is not that of the movements'] += 1;

  await recordProof({
    id: 'T6',
    promise:
      'Of all corrections that name the same version of a movement, at most one succeeds, and only if that version is current',
    seed: proofSeed,
    injected: { clients, movements: movementCount, ...seen },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
