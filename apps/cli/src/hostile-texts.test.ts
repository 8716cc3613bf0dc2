import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCredential } from '@centavo/sdk/testing';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectExamples } from '../test-support/collect-examples.js';
import { ExampleWorld } from '../test-support/example-world.js';
import { refusal } from '../test-support/fake-api.js';
import type { Outcome, TestMachine } from '../test-support/run-in-test.js';
import { chooseStyle } from './ui/frame.js';
import { renderTable } from './ui/table.js';

const world = new ExampleWorld();

beforeAll(() => world.api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => world.api.server.close());

/**
 * Escape sequences that set the title, the clipboard, a link and a colour, and clear the screen; C1 control characters;
 * characters that reorder or hide text, or end a line.
 */
const hostile =
  '\u001b]0;t\u0007\u001b]52;c;YQ==\u0007\u001b]8;;http://evil\u001b\\\u001b[31m\u001b[2J\b\u007f\r' +
  '\u009b31m\u0085\u00ad\u061c\u200b\u200d\u200e\u202e\u2028\u2060\u2066\ufeff\u{e0041}\nfake: line';

/** Matches the characters that a terminal interprets or hides: control, format and line separator characters, except line feeds. */
const controlCharacters = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const esc = String.fromCharCode(0x1b);

/** The sequences that the CLI itself prints: styles, the colours of a QR code, the redrawing of a progress bar, and CSV line breaks. */
const ownSequences = new RegExp(`${esc}\\[(?:1|22|2|97;40|0)m|\\r${esc}\\[K|\\r(?=\\n)`, 'g');

function expectPlain({ stdout, stderr, questions }: Outcome): void {
  for (const text of [stdout, stderr, ...questions]) {
    expect(text.replace(ownSequences, '')).not.toMatch(controlCharacters);
    expect(text).not.toMatch(/^fake: line/m);
  }
}

/** Fields by which the examples find their records. */
const lookedUp: ReadonlySet<string> = new Set(['name', 'email', 'url', 'accountName', 'cashboxName']);
const freeTexts: ReadonlySet<string> = new Set([...lookedUp, 'displayName', 'description', 'merchantName', 'note']);
/** Fields whose values normally are single words. */
const wordFields: ReadonlySet<string> = new Set([
  'role',
  'status',
  'mode',
  'type',
  'kind',
  'scope',
  'timeZone',
  'secretLast4',
]);

/** Appends the hostile text to the named fields, at any depth. */
function addControlCharacters(value: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => addControlCharacters(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      fields.has(field) && (typeof inner === 'string' || inner === null)
        ? `${inner}${hostile}`
        : addControlCharacters(inner, fields),
    ]),
  );
}

async function withHostileTexts(good: Response, fields: ReadonlySet<string>): Promise<Response> {
  const text = await good.clone().text();
  if (text === '') return good;
  const { status, headers } = good;
  return new Response(JSON.stringify(addControlCharacters(JSON.parse(text), fields)), { status, headers });
}

async function runWith(example: string, tamper: TestMachine['tamper']): Promise<Outcome> {
  await world.begin();
  const machine = await world.createMachine();
  machine.tamper = tamper;
  return world.run(example, machine);
}

const examples = collectExamples().filter(({ path }) => path.length > 1);

describe('on a terminal,', () => {
  it.each(examples)('the output has no control characters from texts of a server: $example', async ({ example }) => {
    // The second set omits the fields in `lookedUp`, so that the command finds its records and prints them.
    for (const fields of [freeTexts, new Set([...freeTexts, ...wordFields].filter((field) => !lookedUp.has(field)))]) {
      expectPlain(await runWith(example, (good) => withHostileTexts(good, fields)));
    }
  });

  it.each(examples)(
    'the output has no control characters from an error that a server sends: $example',
    async ({ example }) => {
      const issues = [{ path: `name${hostile}`, code: 'INVALID_FORMAT', message: hostile }];
      const details = { issues, reason: hostile, requiredScopes: [hostile], trackerIds: [hostile] };
      for (const [status, code] of [
        [400, 'VALIDATION_ERROR'],
        [403, 'INSUFFICIENT_SCOPE'],
        [403, 'TRACKER_FORBIDDEN'],
        [409, hostile],
      ] as const) {
        const body = { error: { code, message: hostile, details }, meta: { apiVersion: 1, requestId: hostile } };
        expectPlain(await runWith(example, () => new Response(JSON.stringify(body), { status })));
      }
      expectPlain(await runWith(example, () => refusal(500, 'INTERNAL_ERROR')));
    },
  );

  it('the headers of a response are printed with their control characters escaped', async () => {
    const { stdout } = await runWith('centavo api GET /context --include', (good) => {
      const headers = new Headers([...good.headers, ['x-note', 'a\u009b31m\u00ad']]);
      return new Response(good.body, { headers });
    });
    expect(stdout).toContain('x-note: a\\u009b31m\\u00ad\n');
  });
});

describe('a bank file', () => {
  it('cannot send control characters to the terminal through its name or its texts', async () => {
    await world.begin();
    const folder = await mkdtemp(join(tmpdir(), 'centavo-hostile-'));
    const path = join(folder, `a${hostile.replaceAll('/', '')}.csv`);
    const machine = await world.createMachine();
    const row = `2026-01-02,"Market${hostile}",-12.50`;
    const headers = ['Date,Description,Amount', `Date,Text${hostile.replace('\n', '')},Amount`, `X${hostile},Y,Z`];
    for (const header of headers) {
      await writeFile(path, `${header}\n${row}\n2026-13-45,"${hostile}",x${hostile.replace('\n', '')}\n`);
      for (const flags of [[], ['--dry-run'], ['--date-column', `No${hostile}`]]) {
        const args = ['import', path, '--account', 'Checking', ...flags];
        expectPlain(await machine.run(args, { answer: () => '' }));
        expectPlain(await machine.run([...args, '--yes'], { isTerminal: true }));
      }
    }
    expectPlain(await machine.run(['import', `${path}.none`], { isTerminal: true }));
  });
});

describe('JSON output', () => {
  const lines = ['centavo trackers list -o json', 'centavo trackers list -o jsonl', 'centavo api GET /trackers'];

  it.each(lines)(
    'has the same values on a terminal and in a pipe, and its control characters are escaped only on a terminal: %s',
    async (line) => {
      await world.begin();
      const machine = await world.createMachine();
      machine.tamper = (good) => withHostileTexts(good, freeTexts);
      const words = line.split(' ').slice(1);
      const piped = await machine.run(words, { isTerminal: false });
      const shown = await machine.run(words, { isTerminal: true });
      const withoutRequestId = (text: string) => JSON.stringify(JSON.parse(text)).replace(/"requestId":"[^"]*"/, '');
      expect(withoutRequestId(shown.stdout)).toBe(withoutRequestId(piped.stdout));
      expect(piped.stdout).toContain('\u202e\u2028');
      expectPlain(shown);
    },
  );
});

describe('CSV output', () => {
  it('is unchanged in a pipe; on a terminal, all control characters except the line breaks between rows are escaped', async () => {
    await world.begin();
    const machine = await world.createMachine();
    machine.tamper = (good) => withHostileTexts(good, new Set(['timeZone']));
    const piped = await machine.run('trackers list -o csv', { isTerminal: false });
    const shown = await machine.run('trackers list -o csv', { isTerminal: true });
    expect(piped.stdout).toContain(hostile);
    expect(shown.stdout.replaceAll('\r\n', '\n')).not.toMatch(controlCharacters);
    expect(shown.stdout.split('\r\n')).toHaveLength(3);
  });
});

describe('a table', () => {
  it('aligns its columns even if a cell has control characters, zero-width characters or emoji', () => {
    const columns = [
      { header: 'NAME', value: ({ name }: { name: string }) => name },
      { header: 'ROLE', value: () => 'owner' },
    ];
    const style = chooseStyle({ write: () => {} }, { env: {}, noColor: true });
    const rows = [{ name: 'Home' }, { name: `a${hostile}` }, { name: 'می\u200cخواهم' }, { name: '👩\u200d👧' }];
    const { text } = renderTable(rows, { columns, style, glyphs: { cut: '…' }, widthMax: undefined });
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(rows.length + 1);
    expect(new Set(lines.map((line) => stringWidth(line.replace(/(ROLE|owner)$/, '')))).size).toBe(1);
    expect(text).toContain('می\u200cخواهم');
    expect(text).toContain('👩\u200d👧');
  });
});

describe('an API key or client secret that the server returns in an unknown format', () => {
  const secrets = ['centavo_live_\u001b]52;c;YQ==\u0007', `${'centavo_live_'.padEnd(62, 'a')}`, 'hunter2', ''];

  it.each(
    secrets.flatMap((secret) =>
      [
        'keys create import --all-managed',
        'keys rotate import',
        'clients create x',
        'api POST /api-keys -f name=x',
      ].flatMap((words) => ['table', 'json'].map((format) => [secret, `${words} -o ${format}`] as const)),
    ),
  )('is not printed, and the command exits 9: %j, %s', async (secret, words) => {
    const { code, stdout, stderr } = await runWith(`centavo ${words}`, async (good, { method }) => {
      if (method !== 'POST') return good;
      const envelope = (await good.json()) as { data: object };
      return new Response(JSON.stringify({ ...envelope, data: { ...aCredential(), secret } }), { status: 201 });
    });
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toContain('data.secret is not a secret of this API');
    expect(stderr).toContain('Check whether the change was recorded');
    if (secret !== '') expect(stderr).not.toContain(secret);
  });
});
