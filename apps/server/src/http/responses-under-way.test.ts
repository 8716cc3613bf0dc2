import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ResponsesUnderWay } from './responses-under-way.js';

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
    responses.leaveConnections();
    const expected = all.map((_, place) => (ended.includes(String(place)) ? {} : asked));
    expect([...all, later].map(({ headers }) => headers)).toEqual([...expected, asked]);
  },
);

test('one that comes afterwards is asked too; one that has begun cannot be', () => {
  const responses = new ResponsesUnderWay();
  const begun = newResponse({ headersSent: true });
  responses.follow(begun);
  responses.leaveConnections();
  const next = newResponse();
  responses.follow(next);
  expect([begun.headers, next.headers]).toEqual([{}, asked]);
});
