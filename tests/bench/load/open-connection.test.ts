import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openConnection } from './open-connection.mjs';

let server: Server | undefined;

afterEach(() => server?.close());

/** Starts a server that calls `onData` with each chunk of a request. */
async function listen(onData: (socket: Socket, text: string) => void): Promise<string> {
  const created = createServer((socket) => socket.on('data', (bytes) => onData(socket, String(bytes))));
  server = created;
  created.listen(0, '127.0.0.1');
  await once(created, 'listening');
  const address = created.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('a connection of the benchmark client', () => {
  it('waits for a complete response that arrives in four chunks', async () => {
    const pieces = ['HTTP/1.1 201 Created\r\nETag: "1"\r\nConte', 'nt-Length: 4\r\n\r', '\ndo', 'ne'];
    const sent: string[] = [];
    const origin = await listen((socket) => {
      const sendNext = () => {
        const piece = pieces.shift();
        if (piece === undefined) return;
        sent.push(piece);
        // Sends each piece in its own packet.
        socket.write(piece, () => setImmediate(sendNext));
      };
      socket.setNoDelay(true);
      sendNext();
    });
    const connection = await openConnection(origin);
    const answer = await connection.send('anything');
    expect(answer).toMatchObject({ status: 201, head: 'HTTP/1.1 201 Created\r\nETag: "1"\r\nContent-Length: 4' });
    expect(sent).toHaveLength(4);
    connection.close();
  });

  it('reads as many bytes of a body as Content-Length says, even if the body contains blank lines', async () => {
    const statuses = [200, 404];
    const origin = await listen((socket) => {
      socket.write(`HTTP/1.1 ${statuses.shift()} Whatever\r\ncontent-length: 9\r\n\r\n\r\n\r\nbytes`);
    });
    const connection = await openConnection(origin);
    expect(await connection.send('one')).toMatchObject({ status: 200 });
    expect(await connection.send('two')).toMatchObject({ status: 404 });
    connection.close();
  });

  it('fails if the server closes the connection without a response', async () => {
    const connection = await openConnection(await listen((socket) => socket.destroy()));
    await expect(connection.send('anything')).rejects.toThrow('closed a connection before it had answered');
    await expect(connection.send('anything else')).rejects.toThrow('closed a connection before it had answered');
  });
});
