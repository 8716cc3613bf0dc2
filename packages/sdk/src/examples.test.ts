import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { examplePrograms } from '../test-support/documented-code.js';
import { runExample } from '../test-support/run-example.js';
import {
  aCashbox,
  aCategory,
  aMovement,
  anAccount,
  aWebhookEvent,
  errorAnswer,
  FakeCentavo,
  onCall,
  signWebhook,
} from './testing/index.js';

const account = anAccount({ name: 'Everyday' });
const groceries = aCategory({ name: 'Food, mostly' });
const server = setupServer();
let centavo: FakeCentavo;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  centavo = new FakeCentavo({ accounts: [account], categories: [groceries] });
  server.resetHandlers(...centavo.handlers);
});
afterAll(() => server.close());

/** Runs a program of the examples folder with the fake server. */
async function run(name: string, ...argv: readonly string[]): Promise<readonly string[]> {
  const program = examplePrograms().find((found) => found.name === `examples/${name}.mjs`);
  if (program === undefined) throw new Error(`Cannot find examples/${name}.mjs`);
  return runExample(program.text, { argv });
}

test('every program of the examples folder has a test, and documents its command', () => {
  const tested = [
    'correct-together',
    'import-rows',
    'lunch',
    // tests/acceptance/mirror-example.test.ts tests this program, with a server that restarts.
    'mirror',
    'month-report',
    'record-safely',
    'watch-balances',
    'webhook-receiver',
  ];
  const programs = examplePrograms();
  expect(programs.map(({ name }) => name).sort()).toEqual(tested.map((name) => `examples/${name}.mjs`));
  for (const { name, text } of programs) expect(text).toContain(`node ${name}`);
});

test('the example "lunch" records and corrects a movement', async () => {
  expect(await run('lunch')).toHaveLength(1);
  expect(centavo.movements).toMatchObject([{ description: 'Lunch', merchantName: 'Casa Ana', version: 2 }]);
});

test('the example "record-safely" records a receipt once, even after a lost response', async () => {
  centavo.loseNextAnswer('createMovement');
  expect((await run('record-safely', 'receipt-1', '9.90', 'Tea'))[0]).toContain('Had been recorded before');
  expect((await run('record-safely', 'receipt-2', '9.90', 'Tea'))[0]).toContain('Recorded');
  expect((await run('record-safely', 'receipt-2', '9.90', 'Tea'))[0]).toContain('Had been recorded before');
  expect((await run('record-safely', 'receipt-3', '9.999'))[0]).toContain('AMOUNT_PRECISION');
  expect(centavo.movements.map(({ description }) => description)).toEqual(['Tea', 'Tea']);
});

test('the example "import-rows" can be repeated without duplicates, and reports a bad row without stopping', async () => {
  expect((await run('import-rows')).at(-1)).toBe('4 recorded, 0 already there, 1 refused');
  const again = await run('import-rows');
  expect(again[0]).toContain('A-1005: amountDecimal');
  expect(again.at(-1)).toBe('0 recorded, 4 already there, 1 refused');
  expect(centavo.movements).toHaveLength(4);
});

test('the example "correct-together" records two concurrent corrections of the same movement', async () => {
  expect((await run('correct-together')).at(-1)).toBe('Version 3: Dinner at Casa Ana, Casa Ana');
});

test('the example "watch-balances" prints changes, and waits as long as Retry-After says', async () => {
  const jar = aCashbox({ accountId: account.id, name: 'Jar' });
  const lunch = aMovement({ accountId: account.id, cashboxId: jar.id });
  const seeded = new FakeCentavo({ accounts: [account], cashboxes: [jar], movements: [lunch] });
  const limited = onCall('listBalances', () => errorAnswer('RATE_LIMITED', { retryAfterSeconds: 6 }), { once: true });
  server.resetHandlers(limited, ...seeded.handlers);
  const printed = await run('watch-balances', '3');
  expect(printed[0]).toBe('The server asks to wait 6000 ms');
  // The request of the first round was rejected. The balance was new in the second round, and unchanged in the third.
  expect(printed.filter((line) => line.includes('/ Jar'))).toEqual(['Everyday / Jar: -12.50 EUR']);
  expect(printed.filter((line) => line.startsWith('Round'))).toHaveLength(2);
});

test('the example "watch-balances" prints one line and exits if the API key may not read balances', async () => {
  server.resetHandlers(
    onCall('listBalances', () => errorAnswer('INSUFFICIENT_SCOPE')),
    ...centavo.handlers,
  );
  const printed = await run('watch-balances', '3');
  expect(printed).toEqual([expect.stringContaining('--scope balances:read')]);
});

test('the example "month-report" prints the exact sums of a month by category, and omits transfers and other months', async () => {
  const mine = { accountId: account.id, categoryId: groceries.id };
  const movements = [
    ...Array.from({ length: 250 }, () => aMovement({ ...mine, amountDecimal: '0.10', occurredOn: '2026-01-31' })),
    aMovement({ ...mine, type: 'income', amountDecimal: '1800.00', occurredOn: '2026-01-01' }),
    aMovement({ ...mine, amountDecimal: '7.00', occurredOn: '2026-02-01' }),
    aMovement({ ...mine, kind: 'transfer', categoryId: null, occurredOn: '2026-01-15' }),
  ];
  server.resetHandlers(...new FakeCentavo({ accounts: [account], categories: [groceries], movements }).handlers);
  expect(await run('month-report', '2026-01')).toEqual([
    'type,category,count,amount,currency',
    'expense,"Food, mostly",250,25.00,EUR',
    'income,"Food, mostly",1,1800.00,EUR',
  ]);
});

test('the example "webhook-receiver" processes each event once, and rejects deliveries that the server did not sign', async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const program = examplePrograms().find(({ name }) => name === 'examples/webhook-receiver.mjs');
  const printed = await runExample(program?.text ?? '', {
    argv: ['0'],
    env: { CENTAVO_WEBHOOK_SECRET: secret },
    onSignal: onTestFinished,
  });
  const [, origin = ''] = /^Listening on (http:\S+)$/.exec(printed[0] ?? '') ?? [];
  server.use(http.post(origin, () => passthrough()));
  const event = aWebhookEvent({ type: 'movement.voided' });
  const body = JSON.stringify(event);
  const deliver = async (text: string, headers: Record<string, string>) =>
    (await fetch(origin, { method: 'POST', body: text, headers })).status;

  expect(await deliver(body, await signWebhook({ body, secret }))).toBe(204);
  // The second attempt of a delivery has the same id, but another timestamp.
  const second = await signWebhook({ body, secret, timestamp: new Date(Date.now() - 5_000) });
  expect(await deliver(body, second)).toBe(204);
  expect(await deliver(`${body} `, second)).toBe(400);
  expect(await deliver('x'.repeat(20_001), second)).toBe(500);
  expect(printed.filter((line) => line.includes(event.data.resource.id))).toHaveLength(1);
  expect(printed.filter((line) => line.startsWith('Refused (no_match)'))).toHaveLength(1);
});
