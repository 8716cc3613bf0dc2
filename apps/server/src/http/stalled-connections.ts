import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How much of their answers clients may leave unread. */
export interface UnreadLimits {
  /** How long a connection may drain nothing while something is written to it; milliseconds. */
  readonly unreadMsMax: number;
  /** How many bytes of large answers may wait for all clients together. */
  readonly unreadBytesMax: number;
}

interface Progress {
  /** Bytes that the system took for sending. */
  drained: number;
  /** Bytes in the system's send queue at the last look; undefined where it does not say. */
  queued: number | undefined;
  /** When one of the two last changed, or nothing was left to drain. */
  lastProgressMs: number;
}

/** Bytes that are in memory for the unfinished answer of a connection. */
const unreadBytes = new WeakMap<Socket, number>();

/** Counts the bytes of an answer against the overall limit until it is finished. */
export function countUnread(response: ServerResponse, bytes: number): void {
  const { socket } = response;
  if (socket === null) return;
  unreadBytes.set(socket, bytes);
  response.once('close', () => unreadBytes.delete(socket));
}

/**
 * Ends connections whose clients do not read their answers. Node's own timeouts do not: a byte that the client sends counts
 * as activity there.
 */
export class StalledConnections {
  readonly #limits: UnreadLimits;
  readonly #nowMs: () => number;
  readonly #readSendQueues: () => Promise<SendQueues>;
  readonly #connections = new Map<Socket, Progress>();
  #isLooking = false;

  /** @param options.nowMs a monotonic clock; tests advance it */
  constructor(options: {
    readonly limits: UnreadLimits;
    readonly nowMs: () => number;
    readonly readSendQueues: () => Promise<SendQueues>;
  }) {
    this.#limits = options.limits;
    this.#nowMs = options.nowMs;
    this.#readSendQueues = options.readSendQueues;
  }

  /** Watches a connection until it is closed. */
  follow(socket: Socket): void {
    this.#connections.set(socket, { drained: 0, queued: undefined, lastProgressMs: this.#nowMs() });
    socket.once('close', () => this.#connections.delete(socket));
  }

  /**
   * Ends the connections that drained nothing for too long. While large answers take more memory than they may, it also ends
   * those that hold one, the longest stalled first.
   */
  async endStalled(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#resetStalled();
    } finally {
      this.#isLooking = false;
    }
  }

  async #resetStalled(): Promise<void> {
    const nowMs = this.#nowMs();
    const suspects = this.#withoutProgress(nowMs);
    const stalled = suspects.length === 0 ? [] : noteQueueProgress(suspects, await this.#readSendQueues(), nowMs);
    for (const [socket, { lastProgressMs }] of stalled) {
      if (nowMs - lastProgressMs >= this.#limits.unreadMsMax) reset(socket);
    }
    this.#keepWithinBudget();
  }

  #keepWithinBudget(): void {
    const held = [...this.#connections]
      .map(([socket, { lastProgressMs }]) => ({ socket, lastProgressMs, bytes: unreadBytes.get(socket) ?? 0 }))
      .filter(({ socket, bytes }) => bytes > 0 && !socket.destroyed)
      .sort((one, other) => one.lastProgressMs - other.lastProgressMs);
    let bytes = held.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of held) {
      if (bytes <= this.#limits.unreadBytesMax) return;
      reset(one.socket);
      bytes -= one.bytes;
    }
  }

  /** Returns the connections on which something waits and of which Node has seen nothing go since the last look. */
  #withoutProgress(nowMs: number): (readonly [Socket, Progress])[] {
    const suspects: (readonly [Socket, Progress])[] = [];
    for (const [socket, progress] of this.#connections) {
      // `bytesWritten` counts what waits in Node too. The system takes a write as a whole, so large answers are written in pieces.
      const drained = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength > 0 && drained === progress.drained) suspects.push([socket, progress]);
      else Object.assign(progress, { drained, queued: undefined, lastProgressMs: nowMs });
    }
    return suspects;
  }
}

/**
 * Records the progress that the send queues show, and returns the connections without any. Node learns of progress late: the
 * system reports room only when a third of its buffer is free, on loopback more than a megabyte. The send queue shows it earlier.
 */
function noteQueueProgress(
  suspects: readonly (readonly [Socket, Progress])[],
  queues: SendQueues,
  nowMs: number,
): (readonly [Socket, Progress])[] {
  return suspects.filter(([socket, progress]) => {
    const queued = queues.get(connectionKey(socket));
    const hasProgressed = progress.queued !== undefined && queued !== progress.queued;
    progress.queued = queued;
    if (hasProgressed) progress.lastProgressMs = nowMs;
    return !hasProgressed;
  });
}

/** Ends a connection and frees what the system still holds for it, which a plain end would go on sending. */
function reset(socket: Socket): void {
  // Node has no reset for TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Bytes that the system has taken and the other side has not confirmed, by `connectionKey`. */
export type SendQueues = ReadonlyMap<string, number>;

// Kept by port alone: of two clients with the same port, either one's progress then counts for both.
const rowPattern = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm;

/** Names a connection in `SendQueues` by its two ports. */
export function connectionKey({ localPort, remotePort }: Pick<Socket, 'localPort' | 'remotePort'>): string {
  return `${localPort} ${remotePort}`;
}

/**
 * Reads the send queues of all TCP connections from `/proc/net`. It is empty on systems without that folder.
 * @source proc(5), /proc/net/tcp
 */
export async function readSendQueues(): Promise<SendQueues> {
  const queues = new Map<string, number>();
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const table = await readFile(file, 'latin1').catch(() => '');
    for (const [, localPort = '', remotePort = '', bytes = ''] of table.matchAll(rowPattern)) {
      const key = connectionKey({
        localPort: Number.parseInt(localPort, 16),
        remotePort: Number.parseInt(remotePort, 16),
      });
      queues.set(key, (queues.get(key) ?? 0) + Number.parseInt(bytes, 16));
    }
  }
  return queues;
}
