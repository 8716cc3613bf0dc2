import { describe, expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import { ReadPosition } from './read-position.js';

const name = 'centavo-read-after';
const atPosition = (position: string): Step => ({
  ...(success() as object),
  status: 201,
  headers: { [name]: position },
});
const latestOf = (...positions: readonly string[]) => {
  const position = new ReadPosition();
  for (const each of positions) position.update(new Headers({ [name]: each }));
  return position.latest;
};

describe('the WAL position that the client stores', () => {
  test.each([
    ['0/9', '0/10', '0/10'],
    ['0/10', '0/9', '0/10'],
    ['0/FFFFFFFF', '1/0', '1/0'],
    ['2/1', '10/0', '10/0'],
    ['1/0', '0/FFFFFFFF', '1/0'],
    ['0/a', '0/9', '0/a'],
  ])('after responses with %s and %s is the higher one, %s, compared as hexadecimal', (first, second, furthest) => {
    expect(latestOf(first, second)).toBe(furthest);
  });

  test.each(['', '16', '0/', '/0', '0/123456789', '0x0/1', '0/1, 0/2'])(
    'is not changed by %j, which is malformed',
    (text) => {
      expect(latestOf(text)).toBeNull();
      expect(latestOf('0/1', text)).toBe('0/1');
    },
  );
});

describe('a read by the client', () => {
  test('sends no WAL position to a server that never returned one', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.accounts.list());
    for (const { headers } of sent) expect(headers).not.toHaveProperty(name);
  });

  test('sends the highest WAL position of earlier writes, even if the last write returned a lower one; a write sends none', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [atPosition('0/20'), atPosition('0/1F'), success([])] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.accounts.list());
    await clock.settle(client.movements.create(newMovement));
    expect(sent.map(({ headers }) => headers[name])).toEqual([undefined, undefined, '0/20', undefined]);
  });

  test('sends the WAL position of the last write, even if that write was to another tracker: all trackers share one log', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [atPosition('0/20'), success([])] }, { trackerId: 'home' });
    await clock.settle(client.forTracker('work').movements.create(newMovement));
    await clock.settle(client.accounts.list());
    expect(sent[1]?.headers[name]).toBe('0/20');
  });

  test('sends the WAL position that the caller passes as a header, not the stored position', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [atPosition('0/20'), success([])] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.accounts.list({ headers: { 'Centavo-Read-After': '0/0' } }));
    expect(sent[1]?.headers[name]).toBe('0/0');
  });

  test('sends no WAL position if only the primary database may serve the operation', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [atPosition('0/20'), success([])] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.trackers.list());
    expect(sent[1]?.headers).not.toHaveProperty(name);
  });

  test('sends the same WAL position in all attempts', async () => {
    const away = refusal(503, 'SERVICE_UNAVAILABLE');
    const { client, clock, sent } = scriptedClient({ steps: [atPosition('0/20'), away, success([])] });
    await clock.settle(client.movements.create(newMovement));
    await clock.settle(client.accounts.list());
    expect(sent.slice(1).map(({ headers }) => headers[name])).toEqual(['0/20', '0/20']);
  });
});
