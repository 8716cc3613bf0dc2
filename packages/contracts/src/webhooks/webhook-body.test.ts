import { expect, test } from 'vitest';
import { toWebhookBody, type WebhookSource, webhookBodyBytesMax } from './webhook-body.js';
import { toSignedText } from './webhook-signature.js';

const trackerId = '0190f2a0-0000-7000-8000-000000000001';
const event: WebhookSource = {
  sequence: 7,
  id: '0190f2a0-0000-7000-8000-000000000002',
  type: 'movement.corrected',
  occurredAt: '2026-11-24T10:00:00.000Z',
  resource: { type: 'movement', id: '0190f2a0-0000-7000-8000-000000000003' },
  actor: { type: 'user', id: '0190f2a0-0000-7000-8000-000000000004' },
  requestId: '0190f2a0-0000-7000-8000-000000000005',
  hash: 'ab'.repeat(32),
  change: { description: ['Café', null] },
  record: { id: '0190f2a0-0000-7000-8000-000000000003', amountDecimal: '12.50' },
};

test('a webhook body with payload "reference" has neither the change nor the record', () => {
  expect(toWebhookBody(event, { trackerId, payload: 'reference' })).toBe(
    '{"type":"movement.corrected","timestamp":"2026-11-24T10:00:00.000Z","data":{"sequence":7,' +
      '"id":"0190f2a0-0000-7000-8000-000000000002","trackerId":"0190f2a0-0000-7000-8000-000000000001",' +
      '"resource":{"type":"movement","id":"0190f2a0-0000-7000-8000-000000000003"},' +
      '"actor":{"type":"user","id":"0190f2a0-0000-7000-8000-000000000004"},' +
      `"requestId":"0190f2a0-0000-7000-8000-000000000005","hash":"${'ab'.repeat(32)}","change":null,"record":null}}`,
  );
});

test('a webhook body with payload "record" has the change and the record', () => {
  const { data } = JSON.parse(toWebhookBody(event, { trackerId, payload: 'record' }));
  expect(data).toMatchObject({ change: event.change, record: event.record });
});

test.each(['x', '€', '🍜'])(
  'toWebhookBody keeps a record filled with "%s" if the body has 20,000 bytes, and replaces a longer record with null',
  (letter) => {
    const empty = Buffer.byteLength(
      toWebhookBody({ ...event, record: { text: '' } }, { trackerId, payload: 'record' }),
    );
    const room = webhookBodyBytesMax - empty;
    const bytes = Buffer.byteLength(letter);
    const fitting = letter.repeat(Math.floor(room / bytes)) + 'x'.repeat(room % bytes);
    const body = toWebhookBody({ ...event, record: { text: fitting } }, { trackerId, payload: 'record' });
    expect(Buffer.byteLength(body)).toBe(webhookBodyBytesMax);
    const tooLong = toWebhookBody({ ...event, record: { text: `${fitting}x` } }, { trackerId, payload: 'record' });
    expect(JSON.parse(tooLong).data).toMatchObject({ change: event.change, record: null });
  },
);

test('toWebhookBody sets the change and the record to null if the change alone exceeds 20,000 bytes', () => {
  const change = { name: ['x'.repeat(webhookBodyBytesMax), 'y'] };
  expect(JSON.parse(toWebhookBody({ ...event, change }, { trackerId, payload: 'record' })).data).toMatchObject({
    change: null,
    record: null,
  });
});

test('the signed text of a webhook consists of its id, timestamp and body, separated by dots', () => {
  expect(toSignedText({ id: event.id, timestamp: 1_795_687_200, body: '{}' })).toBe(`${event.id}.1795687200.{}`);
});
