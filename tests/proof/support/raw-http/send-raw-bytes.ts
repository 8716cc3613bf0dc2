import { connect } from 'node:net';

/** The result of a raw connection. */
export interface RawResult {
  readonly bytes: Buffer;
  /** Whether the server closed the connection. Otherwise the client closed it after {@link hangMsMax}. */
  readonly isEnded: boolean;
}

/** The time limit of a connection. The server's timeouts for a request and for an unread response are shorter. */
const hangMsMax = 60_000;

/**
 * Writes raw bytes to a server in pieces, and reads until the server closes the connection. A reset counts as a close;
 * the promise never rejects.
 * @param options.endsAfterwards whether the client ends its side of the connection after the last piece
 */
export function sendRawBytes(
  origin: string,
  pieces: readonly Buffer[],
  { endsAfterwards }: { readonly endsAfterwards: boolean },
): Promise<RawResult> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      socket.destroy();
    }, hangMsMax);
    // Each piece is its own TCP segment, so that the server reads it separately.
    socket.setNoDelay(true);
    socket.on('connect', () => void writePieces());
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ bytes: Buffer.concat(received), isEnded: !isGivenUp });
    });

    async function writePieces(): Promise<void> {
      for (const piece of pieces) {
        if (!socket.writable) return;
        await new Promise<void>((written) => socket.write(piece, () => written()));
        await new Promise(setImmediate);
      }
      if (endsAfterwards) socket.end();
    }
  });
}
