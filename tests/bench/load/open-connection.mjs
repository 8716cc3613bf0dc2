// A kept-alive HTTP/1.1 connection on a plain socket. It uses less CPU time than other HTTP clients for Node. This matters, because
// the client shares the CPU with the server.
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Opens a connection for sequential requests: `send(text)` sends a request, and resolves with `{ status, head }` after
 * the complete response. `head` is the status line and the headers.
 * @param origin `http://127.0.0.1:8080`
 */
export async function openConnection(origin) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let waiting;

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (answer === undefined) return;
    // Requests are sequential, so no data follows a response.
    received = Buffer.alloc(0);
    waiting.resolve(answer);
  });
  const closedEarly = () => new Error('The server closed a connection before it had answered.');
  const fail = () => waiting?.reject(closedEarly());
  socket.on('error', fail).on('close', fail);

  return {
    send(text) {
      if (socket.destroyed) return Promise.reject(closedEarly());
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(text);
      });
    },
    close() {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** Returns the response at the beginning of `bytes`, or undefined if it is incomplete. */
function readAnswer(bytes) {
  const headLength = bytes.indexOf('\r\n\r\n');
  if (headLength === -1) return undefined;
  const head = bytes.latin1Slice(0, headLength);
  const bodyLength = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (bodyLength === undefined) throw new Error(`An answer without Content-Length cannot be read: ${head}`);
  const length = headLength + 4 + Number(bodyLength);
  return bytes.length < length ? undefined : { status: Number(head.slice(9, 12)), head, length };
}
