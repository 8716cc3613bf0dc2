import { connect } from 'node:net';

/** The result of a connection with a slow client. */
export interface SlowEnd {
  /** The statuses of the responses before the end. */
  readonly statuses: readonly number[];
  readonly livedMs: number;
}

/** An open connection. */
export interface SlowSocket {
  readonly isEnded: () => boolean;
  readonly end: Promise<SlowEnd>;
  /** Closes the connection, if the server has not closed it. */
  destroy(): void;
}

/**
 * Opens a connection that the client closes only by `destroy`. Writes `first` immediately, and then `again` repeatedly until the server
 * closes the connection.
 * @param options.againEveryMs the interval in milliseconds; 0 for as fast as the server reads
 * @param options.isReading false if the client must read no data from the server
 */
export function openSlowSocket(
  origin: string,
  options: {
    readonly first: Buffer;
    readonly again: Buffer;
    readonly againEveryMs: number;
    readonly isReading?: boolean;
  },
): SlowSocket {
  const { first, again, againEveryMs, isReading = true } = options;
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  const socket = connect(Number(port), hostname);
  let received = '';
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    while (socket.writable && socket.write(again)) {
      if (againEveryMs > 0) return;
    }
  };
  socket.on('connect', () => {
    if (first.length > 0) socket.write(first);
    if (again.length === 0) return;
    if (againEveryMs > 0) timer = setInterval(goOn, againEveryMs);
    else socket.on('drain', goOn).emit('drain');
  });
  if (isReading) {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
  }
  // Ignores the reset after a write to a closed connection.
  socket.on('error', () => {});
  const end = new Promise<SlowEnd>((resolve) => {
    socket.on('close', () => {
      clearInterval(timer);
      isEnded = true;
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, livedMs: performance.now() - startedAt });
    });
  });
  return { isEnded: () => isEnded, end, destroy: () => socket.destroy() };
}
