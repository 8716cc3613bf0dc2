import { connect } from 'node:net';

/** What came back on a connection of one's own. */
export interface Spoken {
  readonly bytes: Buffer;
  /** Whether the server ended the connection; else it was given up after {@link hangMsMax}. */
  readonly isEnded: boolean;
}

/** Far beyond every limit of the server's: who is not answered by then never will be. */
const hangMsMax = 60_000;

/**
 * Writes bytes of one's own to a server, piece by piece, and reads until the server ends the connection. A reset counts as
 * an end; it never rejects.
 * @param options.thenEnd says after the last piece that nothing more comes
 */
export function speakRaw(
  origin: string,
  pieces: readonly Buffer[],
  { thenEnd }: { readonly thenEnd: boolean },
): Promise<Spoken> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      socket.destroy();
    }, hangMsMax);
    // Each piece is a segment of its own, so that the server sees the cut.
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
      if (thenEnd) socket.end();
    }
  });
}
