import { connect } from 'node:net';

/** What became of a connection whose client took its time. */
export interface SlowEnd {
  /** The statuses of the answers that it got before the end. */
  readonly statuses: readonly number[];
  readonly livedMs: number;
}

/** A connection that is under way. */
export interface SlowSocket {
  readonly isEnded: () => boolean;
  readonly end: Promise<SlowEnd>;
  /** Gives it up, where the server never ended it. */
  destroy(): void;
}

/**
 * Opens a connection that its client never ends, writes `first` at once and then `again` every so often for as long as the
 * server lets it.
 * @param options.againEveryMs 0: as fast as the server reads
 * @param options.isReading false: nothing of what the server sends is read
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
  // Whoever writes on to an ended connection is told so by a reset.
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
