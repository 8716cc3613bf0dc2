import { connect } from 'node:net';

/** The bytes that a raw HTTP client received. */
export interface RawHttpResponse {
  /** All bytes until the connection closed, as text. */
  readonly text: string;
  /** The status of each response in `text`. */
  readonly statuses: readonly number[];
}

/**
 * Sends bytes that no HTTP client would send, and waits until the server closes the connection.
 * @param options.thenEnd whether the client ends its side of the connection after `text`
 */
export function sendRawHttp(
  origin: string,
  text: string,
  options: { thenEnd?: boolean } = {},
): Promise<RawHttpResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      if (options.thenEnd === true) socket.end();
    });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('close', () => {
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text: received, statuses });
    });
    socket.on('error', reject);
  });
}
