import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectExamples } from '../test-support/collect-examples.js';
import { ExampleWorld } from '../test-support/example-world.js';

const world = new ExampleWorld();

beforeAll(() => world.api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => world.api.server.close());
beforeEach(() => world.begin());

type Tamper = (good: Response) => Response | Promise<Response>;

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const html = (status: number) => new Response('<html>Sign in to the Wi-Fi</html>', { status });
const meta = { apiVersion: 1, requestId: 'r', trackerId: null };

/**
 * Replaces the data of a response, but neither its status nor its `meta`. There are two exceptions: a 204 response becomes a
 * 200 response with data, and a body without `data` is replaced as a whole.
 */
function withData(replace: (data: unknown) => unknown): Tamper {
  return async (good) => {
    const text = await good.clone().text();
    if (good.status === 204) return json({ data: replace(undefined), meta });
    const { data, ...rest } = JSON.parse(text) as { data: unknown };
    return data === undefined ? json(replace(rest)) : json({ data: replace(data), ...rest }, good.status);
  };
}

/** Changes the type of every field, at any depth. */
function retype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(retype);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, retype(inner)]));
  }
  return typeof value === 'string' ? { toString: 1, valueOf: 1 } : typeof value === 'number' ? '<b>' : [value];
}

const malformed: Readonly<Record<string, Tamper>> = {
  'an HTML page with status 200': () => html(200),
  'an HTML page with status 401': () => html(401),
  'an HTML page with status 404': () => html(404),
  'an HTML page with status 502': () => html(502),
  'an empty body': () => new Response('', { status: 200 }),
  'truncated JSON': async (good) => new Response((await good.text()).slice(0, -3) || '{"data":', { status: 200 }),
  '{}': () => json({}),
  null: () => json(null),
  'a list': () => json([]),
  'no data': () => json({ meta }),
  'a status without a body': () => new Response(null, { status: 204 }),
  'data that is null': withData(() => null),
  'data that is a list of null': withData(() => [null]),
  'data that is an empty record': withData(() => ({})),
  'data that is a list of empty records': withData(() => [{}]),
  'fields of wrong types': withData(retype),
  'a redirect': () => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }),
  'an error with fields of wrong types': () => json({ error: { code: 7, message: {}, details: [] }, meta: 7 }, 400),
};

/**
 * Commands that need not exit with 8 or 9. `watch` waits until the server responds correctly again, and `doctor` reports
 * the error as a finding. `logout` and `profiles delete` remove the session from this machine even if the response is
 * malformed, and ignore `--base-url`.
 */
const tolerant: ReadonlySet<string> = new Set(['watch', 'doctor', 'logout', 'profiles delete']);

/** The first example of each command that is not in `tolerant`. */
const commands = collectExamples().filter(
  ({ path }, index, all) =>
    path.length > 1 &&
    !tolerant.has(path.slice(1).join(' ')) &&
    all.findIndex((other) => other.path.join() === path.join()) === index,
);

/** Runs an example, and replaces each response from `position` on. Also returns whether any response changed. */
async function runTampered(example: string, { position, tamper }: { position: number; tamper: Tamper }) {
  await world.begin();
  const machine = await world.createMachine();
  let count = 0;
  let isTampered = false;
  machine.tamper = async (good) => {
    count += 1;
    if (count <= position) return good;
    const text = await good.clone().text();
    const bad = await tamper(good);
    isTampered ||= good.status !== bad.status || text !== (await bad.clone().text());
    return bad;
  };
  const outcome = await world.run(example, machine);
  return { ...outcome, isTampered, requestCount: count };
}

/** Matches output that only a bug in the CLI causes, such as a stack trace. */
const bugPattern = /\b(Type|Range|Syntax)Error|bug in centavo|undefined|\[object|\n +at /;

describe('if a response is malformed,', () => {
  it.each(commands)('the command exits with 8 or 9 and names --base-url: $example', async ({ example }) => {
    const { requestCount } = await runTampered(example, { position: Number.POSITIVE_INFINITY, tamper: (good) => good });
    const failures: unknown[] = [];
    for (let position = 0; position < requestCount; position += 1) {
      for (const [kind, tamper] of Object.entries(malformed)) {
        const { code, stdout, stderr, isTampered } = await runTampered(example, { position, tamper });
        const isClear = stderr.includes('--base-url') && !bugPattern.test(stderr);
        if (isTampered && !([8, 9].includes(code) && isClear)) failures.push({ position, kind, code, stdout, stderr });
      }
    }
    expect(failures).toEqual([]);
  });
});

it('"centavo movements correct" exits with 9 when the response has no ETag', async () => {
  const withoutEtag: Tamper = (good) => new Response(good.body, { status: good.status });
  const example = 'centavo movements correct 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 --amount 13.00';
  const { code, stderr } = await runTampered(example, { position: 0, tamper: withoutEtag });
  expect(code).toBe(9);
  expect(stderr).toContain('--base-url');
});

describe.each(Object.entries(malformed))('a malformed response (%s)', (_, tamper) => {
  it('is reported by doctor as a failed check, with --base-url in the remedy', async () => {
    for (const position of [0, 2, 3]) {
      const { code, stdout, stderr, isTampered } = await runTampered('centavo doctor', { position, tamper });
      if (!isTampered) continue;
      expect({ position, code }).toEqual({ position, code: 1 });
      expect(stdout).toMatch(/^(server|credential) +fail .*--base-url/m);
      expect(stdout + stderr).not.toMatch(bugPattern);
    }
  });

  it.each(['logout', 'profiles delete default --yes'])(
    'does not prevent "%s" from removing the session',
    async (words) => {
      const { stderr, isTampered } = await runTampered(`centavo ${words}`, { position: 0, tamper });
      if (isTampered) expect(stderr).toContain('The session was removed from this machine');
      expect(stderr).not.toMatch(bugPattern);
    },
  );
});
