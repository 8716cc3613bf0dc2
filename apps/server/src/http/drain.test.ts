import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainHttpServer, ResponsesUnderWay } from './drain.js';

test('drainHttpServer finishes the response in progress, closes its connection, and accepts no new connection', async () => {
  const responses = new ResponsesUnderWay();
  const server = createServer((_request, response) => responses.follow(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = async () => {
    const response = await fetch(origin);
    return { text: await response.text(), connection: response.headers.get('connection') };
  };

  const arrival = once(server, 'request');
  const answer = request().catch(() => 'cut off');
  const [, response] = (await arrival) as [unknown, ServerResponse];
  const drained = drainHttpServer({ server, responses, drainDelayMs: 0, finishMsMax: 60_000 });
  const second = await request().catch(() => 'refused');
  response.end('whole');
  expect([await answer, second]).toEqual([{ text: 'whole', connection: 'close' }, 'refused']);
  await drained;
});

/** Returns a fake response with the parts that the code under test uses. */
function newResponse({ headersSent = false } = {}) {
  const headers: Record<string, string> = {};
  const setHeader = (name: string, value: string) => {
    headers[name] = value;
  };
  return Object.assign(new EventEmitter(), { headersSent, setHeader, headers }) as unknown as ServerResponse &
    EventEmitter & { readonly headers: Record<string, string> };
}

const closing = { Connection: 'close' };

test.each(['', '0', '1', '3', '10', '30', '012', '210', '3210'])(
  'endConnections closes the connection of each unfinished response (four responses, indexes of the finished ones: %j)',
  (ended) => {
    const responses = new ResponsesUnderWay();
    const all = [0, 1, 2, 3].map(() => newResponse());
    for (const response of all) responses.follow(response);
    for (const index of ended) all[Number(index)]?.emit('close');
    const later = newResponse();
    responses.follow(later);
    responses.endConnections();
    const expected = all.map((_, index) => (ended.includes(String(index)) ? {} : closing));
    expect([...all, later].map(({ headers }) => headers)).toEqual([...expected, closing]);
  },
);

test('endConnections sets "Connection: close" on a response that begins after the call, but not on a response whose headers are already sent', () => {
  const responses = new ResponsesUnderWay();
  const begun = newResponse({ headersSent: true });
  responses.follow(begun);
  responses.endConnections();
  const next = newResponse();
  responses.follow(next);
  expect([begun.headers, next.headers]).toEqual([{}, closing]);
});
