import { connect } from 'node:net';

/** What a client that writes its own bytes got back. */
export interface RawHttpResponse {
  /** All bytes until the connection ended, as text. */
  readonly text: string;
  /** The status of each answer in it. */
  readonly statuses: readonly number[];
}

/**
 * Speaks HTTP by hand, for what no client would send: writes `text` and waits until the server ends the connection.
 * @param options.thenEnd says after it that nothing more will come
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
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => {
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text: answer, statuses });
    });
    socket.on('error', reject);
  });
}
