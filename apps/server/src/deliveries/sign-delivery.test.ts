import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { signDelivery } from './sign-delivery.js';

const secret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const delivery = { eventId: '0190f2a0-0000-7000-8000-000000000001', body: '{"name":"Café 🍜"}' };

it('signDelivery returns a signature for each of two secrets, and the Standard Webhooks library verifies both signatures', () => {
  const headers = signDelivery({ ...delivery, secrets: [secret(1), secret(2)], nowMs: Date.now() });
  for (const byte of [1, 2]) {
    expect(new Webhook(secret(byte)).verify(delivery.body, { ...headers })).toEqual({ name: 'Café 🍜' });
  }
  expect(() => new Webhook(secret(3)).verify(delivery.body, { ...headers })).toThrow('No matching signature');
  expect(() => new Webhook(secret(1)).verify(`${delivery.body} `, { ...headers })).toThrow('No matching signature');
});

it('signDelivery returns the time of the attempt in seconds', () => {
  const headers = signDelivery({ ...delivery, secrets: [secret(1)], nowMs: 1_795_687_200_999 });
  expect(headers).toEqual({
    'webhook-id': delivery.eventId,
    'webhook-timestamp': '1795687200',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});
