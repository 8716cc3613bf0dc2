import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainHttpServer } from './drain.js';
import { ResponsesUnderWay } from './responses-under-way.js';

test('who is being served gets a whole answer and is asked to leave, and nobody else is let in', async () => {
  const responses = new ResponsesUnderWay();
  const server = createServer((_request, response) => responses.follow(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async () => {
    const response = await fetch(origin);
    return { text: await response.text(), connection: response.headers.get('connection') };
  };

  const arrival = once(server, 'request');
  const answer = ask().catch(() => 'cut off');
  const [, response] = (await arrival) as [unknown, ServerResponse];
  const drained = drainHttpServer({ server, responses, drainDelayMs: 0, finishMsMax: 60_000 });
  const second = await ask().catch(() => 'refused');
  response.end('whole');
  expect([await answer, second]).toEqual([{ text: 'whole', connection: 'close' }, 'refused']);
  await drained;
});
