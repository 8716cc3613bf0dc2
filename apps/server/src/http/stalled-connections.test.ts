import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  connectionKey,
  countUnread,
  readSendQueues,
  type SendQueues,
  StalledConnections,
} from './stalled-connections.js';

const limits = { unreadMsMax: 30_000, unreadBytesMax: 1_000_000_000 };
const piece = Buffer.alloc(65_536, 'x');

let nowMs: number;
let sendQueues: SendQueues;
let stalled: StalledConnections;
let server: Server;
let socket: Socket;
let client: Socket;

beforeEach(async () => {
  nowMs = 0;
  sendQueues = new Map();
  stalled = new StalledConnections({ limits, nowMs: () => nowMs, readSendQueues: async () => sendQueues });
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  [socket] = (await accepted) as [Socket];
  for (const end of [socket, client]) end.on('error', () => {});
  stalled.follow(socket);
});
afterEach(() => {
  socket.destroy();
  client.destroy();
  server.close();
});

/** Writes pieces until the system accepts no more bytes. */
function fill(): void {
  socket.write(piece, (error) => {
    if (!error) fill();
  });
}

const drained = () => socket.bytesWritten - socket.writableLength;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Makes the client read until the system accepts more bytes from the server. */
async function readUntilDrained(): Promise<void> {
  const before = drained();
  client.resume();
  while (drained() === before) await nextTurn();
  client.pause();
}

/** Waits until the system accepts no more bytes. */
async function untilFull(): Promise<void> {
  for (let calm = 0, before = -1; calm < 1_000; calm += 1) {
    if (drained() !== before) calm = 0;
    before = drained();
    await nextTurn();
  }
}

/** Advances the clock, checks the connections, and returns whether the connection was ended. */
async function look(afterMs: number): Promise<boolean> {
  nowMs += afterMs;
  await stalled.endStalled();
  return socket.destroyed;
}

it('StalledConnections keeps a connection that makes progress within the time limit, and ends a connection that does not', async () => {
  fill();
  await untilFull();
  expect(await look(29_999)).toBe(false);
  for (let round = 0; round < 5; round += 1) {
    expect(await look(29_999)).toBe(false);
    await readUntilDrained();
    await untilFull();
    expect(await look(1)).toBe(false);
  }
  expect(await look(29_999)).toBe(false);
  expect(await look(1)).toBe(true);
});

it('StalledConnections keeps an idle connection without unsent bytes', async () => {
  expect(await look(3_600_000)).toBe(false);
  expect(await look(3_600_000)).toBe(false);
});

it('StalledConnections ends a connection when unread responses exceed the memory limit, even if it makes progress', async () => {
  fill();
  await untilFull();
  await readUntilDrained();
  countUnread({ socket, once: () => {} } as unknown as ServerResponse, limits.unreadBytesMax);
  expect(await look(1)).toBe(false);
  countUnread({ socket, once: () => {} } as unknown as ServerResponse, limits.unreadBytesMax + 1);
  expect(await look(1)).toBe(true);
});

it('StalledConnections keeps a connection whose send queue shrinks, although Node sees no progress', async () => {
  fill();
  await untilFull();
  expect(await look(1)).toBe(false);
  for (const bytes of [4_000_000, 3_900_000, 3_900_000 - 1]) {
    sendQueues = new Map([[connectionKey(socket), bytes]]);
    expect(await look(15_000)).toBe(false);
  }
  expect(await look(29_999)).toBe(false);
  expect(await look(1)).toBe(true);
});

it.skipIf(process.platform !== 'linux')(
  'readSendQueues returns the number of bytes that the client has not acknowledged',
  async () => {
    const sendQueue = async () => (await readSendQueues()).get(connectionKey(socket));
    socket.write(Buffer.alloc(2 * 1024 * 1024));
    await untilFull();
    expect(await sendQueue()).toBeGreaterThan(0);
    client.resume();
    while ((await sendQueue()) !== 0) await nextTurn();
  },
);
