import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainHttpServer } from './drain-http-server.js';
import { ResponsesUnderWay } from './responses-under-way.js';

/** A server that answers its requests when it is told to. */
async function openServer() {
  const responses = new ResponsesUnderWay();
  const finish: (() => void)[] = [];
  const server: Server = createServer((_request, response) => {
    responses.follow(response);
    finish.push(() => response.end('whole'));
    server.emit('arrived');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    responses,
    finishAll: () => finish.forEach((finishOne) => void finishOne()),
    /** Sends a request, and returns when it has arrived. */
    async send() {
      const arrived = new Promise<void>((resolve) => server.once('arrived', resolve));
      const answer = fetch(origin).then(
        async (response) => ({ text: await response.text(), connection: response.headers.get('connection') }),
        () => 'cut off',
      );
      await arrived;
      return answer;
    },
    isRefused: () =>
      fetch(origin).then(
        () => false,
        () => true,
      ),
  };
}

test('who is being served gets a whole answer and is asked to leave, and nobody new comes in', async () => {
  const { server, responses, send, finishAll, isRefused } = await openServer();
  const answers = [send(), send()];
  await Promise.all(answers.map((answer) => Promise.race([answer, underWay(responses)])));
  const drained = drainHttpServer({ server, responses, drainDelayMs: 0, finishMsMax: 60_000 });
  expect(await isRefused()).toBe(true);
  finishAll();
  const whole = { text: 'whole', connection: 'close' };
  expect(await Promise.all(answers)).toEqual([whole, whole]);
  await drained;
});
