import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { type Health, healthRouter } from './health.js';

async function askReady(health: Health) {
  const server = createServer(express().use(healthRouter(health)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const [ready, live] = await Promise.all(
      ['ready', 'live'].map((page) => fetch(`http://127.0.0.1:${port}/health/${page}`)),
    );
    return { status: ready?.status, retryAfter: ready?.headers.get('retry-after'), body: await ready?.json(), live };
  } finally {
    server.close();
  }
}

// @proves contract 10: GET /health/live and GET /health/ready
test('GET /health/ready returns 503 while the server drains, although the server is live and its database answers', async () => {
  const answer = await askReady({ isReady: async () => true, isDraining: () => true });
  expect(answer).toMatchObject({ status: 503, retryAfter: '1', body: { status: 'draining' }, live: { status: 200 } });
});

test('GET /health/ready returns 503 when the database check fails', async () => {
  const answer = await askReady({ isReady: () => Promise.reject(new Error('away')), isDraining: () => false });
  expect(answer).toMatchObject({
    status: 503,
    retryAfter: '1',
    body: { status: 'unavailable' },
    live: { status: 200 },
  });
});

test('GET /health/ready returns 200 when the database answers', async () => {
  const answer = await askReady({ isReady: async () => true, isDraining: () => false });
  expect(answer).toMatchObject({ status: 200, retryAfter: null, body: { status: 'ready' } });
});
