import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainHttpServer, ResponsesUnderWay } from './drain.js';

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

/** A response as far as it is looked at. */
function newResponse({ headersSent = false } = {}) {
  const headers: Record<string, string> = {};
  const setHeader = (name: string, value: string) => {
    headers[name] = value;
  };
  return Object.assign(new EventEmitter(), { headersSent, setHeader, headers }) as unknown as ServerResponse &
    EventEmitter & { readonly headers: Record<string, string> };
}

const asked = { Connection: 'close' };

test.each(['', '0', '1', '3', '10', '30', '012', '210', '3210'])(
  'of four answers all but the ended ones (%j) are asked to leave',
  (ended) => {
    const responses = new ResponsesUnderWay();
    const all = [0, 1, 2, 3].map(() => newResponse());
    for (const response of all) responses.follow(response);
    for (const place of ended) all[Number(place)]?.emit('close');
    const later = newResponse();
    responses.follow(later);
    responses.endConnections();
    const expected = all.map((_, place) => (ended.includes(String(place)) ? {} : asked));
    expect([...all, later].map(({ headers }) => headers)).toEqual([...expected, asked]);
  },
);

test('one that comes afterwards is asked too; one that has begun cannot be', () => {
  const responses = new ResponsesUnderWay();
  const begun = newResponse({ headersSent: true });
  responses.follow(begun);
  responses.endConnections();
  const next = newResponse();
  responses.follow(next);
  expect([begun.headers, next.headers]).toEqual([{}, asked]);
});
