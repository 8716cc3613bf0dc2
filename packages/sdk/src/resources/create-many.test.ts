import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FinancialClient } from '../financial-client.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const id = '019a0000-0000-7000-8000-000000000001';
const client = new FinancialClient({ baseUrl: 'http://127.0.0.1:9/v1/financial', token: 'secret' });
const movement = (description: string) =>
  ({ type: 'expense', amountDecimal: '1', accountId: id, description }) as const;
const many = (count: number, text = 'row') => Array.from({ length: count }, (_, index) => movement(`${text} ${index}`));

interface SentRequest {
  readonly key: string | null;
  readonly body: { readonly mode: string; readonly movements: readonly { readonly description: string }[] };
}

/**
 * Responds to each request with the movements of its body, or with the response of `fault` if it returns one. Returns an array to
 * which each received request is added.
 */
function answerAll(fault: (count: number) => Response | undefined = () => undefined): SentRequest[] {
  const sent: SentRequest[] = [];
  server.use(
    http.post('*/movements/bulk', async ({ request }) => {
      const body = (await request.json()) as SentRequest['body'];
      sent.push({ key: request.headers.get('idempotency-key'), body });
      const refused = fault(sent.length);
      if (refused !== undefined) return refused;
      const data =
        body.mode === 'atomic'
          ? body.movements
          : body.movements.map((item, index) => ({ index, status: 'created', movement: item, error: null }));
      return HttpResponse.json({ data, meta: { apiVersion: 1, requestId: id, trackerId: id } }, { status: 201 });
    }),
  );
  return sent;
}

test('createMany sends at most 100 movements in a request, and returns all movements in order', async () => {
  const sent = answerAll();
  const recorded = await client.movements.createMany(many(250), { idempotencyKey: 'june' });
  expect(sent.map(({ body }) => body.movements.length)).toEqual([100, 100, 50]);
  expect(recorded.map(({ description }) => description)).toEqual(many(250).map(({ description }) => description));
});

test('createMany sends at most 60 KiB of movements in a request', async () => {
  const sent = answerAll();
  await client.movements.createMany(many(90, 'é'.repeat(480)));
  expect(sent.length).toBeGreaterThan(1);
  for (const { body } of sent) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(61_500);
});

test('createMany sends the same requests under the same idempotency keys if the call is repeated after an error', async () => {
  const first = answerAll((count) => (count === 2 ? new HttpResponse(null, { status: 400 }) : undefined));
  await expect(client.movements.createMany(many(150), { idempotencyKey: 'june' })).rejects.toThrow();
  const again = answerAll();
  await client.movements.createMany(many(150), { idempotencyKey: 'june' });
  expect(first.map(({ key }) => key)).toEqual(['june', 'june/2']);
  expect(again).toEqual(first);
});

test('createMany reports the idempotency key of the whole call in the error if a request after the first fails', async () => {
  answerAll((count) => (count === 2 ? new HttpResponse(null, { status: 400 }) : undefined));
  await expect(client.movements.createMany(many(150), { idempotencyKey: 'june' })).rejects.toMatchObject({
    idempotencyKey: 'june',
  });
});

test('createMany creates an idempotency key if the caller passes none, and derives the keys of further requests from it', async () => {
  const sent = answerAll();
  await client.movements.createMany(many(201));
  const [first, second, third] = sent.map(({ key }) => key);
  expect([second, third]).toEqual([`${first}/2`, `${first}/3`]);
});

test('createMany in mode "independent" sends no header Idempotency-Key, and retries after a lost response', async () => {
  const sent = answerAll((count) => (count === 1 ? HttpResponse.error() : undefined));
  const rows = many(120).map((item, index) => ({ ...item, idempotencyKey: `row-${index}` }));
  const results = await client.movements.createMany(rows, { mode: 'independent', maxRetries: 2 });
  expect(sent.map(({ key, body }) => [key, body.mode, body.movements.length])).toEqual([
    [null, 'independent', 100],
    [null, 'independent', 100],
    [null, 'independent', 20],
  ]);
  expect(results.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
});

test('createMany sends nothing for an empty list', async () => {
  expect(await client.movements.createMany([])).toEqual([]);
});

test('createMany sends nothing if the idempotency key would be too long after a request number is appended', async () => {
  const sent = answerAll();
  await expect(client.movements.createMany(many(101), { idempotencyKey: 'k'.repeat(199) })).rejects.toThrow(
    'too long for 2 requests',
  );
  expect(sent).toEqual([]);
  await client.movements.createMany(many(100), { idempotencyKey: 'k'.repeat(200) });
  expect(sent).toHaveLength(1);
});
