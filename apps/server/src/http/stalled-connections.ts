import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The limits for responses that clients do not read. */
export interface UnreadLimits {
  /** The maximum time without progress for a connection with unsent bytes, in milliseconds. */
  readonly unreadMsMax: number;
  /** The maximum number of bytes of unfinished large responses in memory, for all clients together. */
  readonly unreadBytesMax: number;
}

interface Progress {
  /** Bytes that the operating system accepted for sending. */
  drained: number;
  /** Bytes in the system's send queue at the last check; undefined if unknown. */
  queued: number | undefined;
  /** The last time when `drained` or `queued` changed, or when nothing was left to send. */
  lastProgressMs: number;
}

/** Bytes in memory for the unfinished response of a connection. */
const unreadBytes = new WeakMap<Socket, number>();

/** Counts the bytes of a response towards `unreadBytesMax` until the response is closed. */
export function countUnread(response: ServerResponse, bytes: number): void {
  const { socket } = response;
  if (socket === null) return;
  unreadBytes.set(socket, bytes);
  response.once('close', () => unreadBytes.delete(socket));
}

/**
 * Ends connections whose clients do not read their responses. Node's own timeouts do not do this, because they count each byte
 * that the client sends as activity.
 */
export class StalledConnections {
  readonly #limits: UnreadLimits;
  readonly #nowMs: () => number;
  readonly #readSendQueues: () => Promise<SendQueues>;
  readonly #connections = new Map<Socket, Progress>();
  #isChecking = false;

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
   * Ends the connections that made no progress for too long. While large responses exceed the memory limit, also ends connections
   * with a large response, beginning with the connection that has stalled longest.
   */
  async endStalled(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#resetStalled();
    } finally {
      this.#isChecking = false;
    }
  }

  async #resetStalled(): Promise<void> {
    const nowMs = this.#nowMs();
    const withoutProgress = this.#withoutProgress(nowMs);
    const stalled =
      withoutProgress.length === 0 ? [] : noteQueueProgress(withoutProgress, await this.#readSendQueues(), nowMs);
    for (const [socket, { lastProgressMs }] of stalled) {
      if (nowMs - lastProgressMs >= this.#limits.unreadMsMax) reset(socket);
    }
    this.#enforceMemoryLimit();
  }

  #enforceMemoryLimit(): void {
    const connections = [...this.#connections]
      .map(([socket, { lastProgressMs }]) => ({ socket, lastProgressMs, bytes: unreadBytes.get(socket) ?? 0 }))
      .filter(({ socket, bytes }) => bytes > 0 && !socket.destroyed)
      .sort((one, other) => one.lastProgressMs - other.lastProgressMs);
    let bytes = connections.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of connections) {
      if (bytes <= this.#limits.unreadBytesMax) return;
      reset(one.socket);
      bytes -= one.bytes;
    }
  }

  /**
   * Returns the connections that have unsent bytes and for which Node has counted no bytes as sent since the last check. Records
   * progress for the others.
   */
  #withoutProgress(nowMs: number): (readonly [Socket, Progress])[] {
    const withoutProgress: (readonly [Socket, Progress])[] = [];
    for (const [socket, progress] of this.#connections) {
      // `bytesWritten` includes the bytes that still wait in Node, so they are subtracted. Node counts a write as sent only when all its
      // bytes are sent. Therefore large responses are written in pieces, each of which shows progress.
      const drained = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength > 0 && drained === progress.drained) withoutProgress.push([socket, progress]);
      else Object.assign(progress, { drained, queued: undefined, lastProgressMs: nowMs });
    }
    return withoutProgress;
  }
}

/**
 * Records the progress that the send queues show, and returns the connections without progress. Node detects progress late: the
 * system reports free space only when a third of its buffer is free (more than a megabyte on loopback). The send queue shows
 * progress earlier.
 */
function noteQueueProgress(
  withoutProgress: readonly (readonly [Socket, Progress])[],
  queues: SendQueues,
  nowMs: number,
): (readonly [Socket, Progress])[] {
  return withoutProgress.filter(([socket, progress]) => {
    const queued = queues.get(connectionKey(socket));
    const hasProgressed = progress.queued !== undefined && queued !== progress.queued;
    progress.queued = queued;
    if (hasProgressed) progress.lastProgressMs = nowMs;
    return !hasProgressed;
  });
}

/** Resets a connection, so that the system discards its unsent bytes. After an ordinary end, the system would still send them. */
function reset(socket: Socket): void {
  // Node cannot reset a TLS connection.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Bytes that the system accepted and the client has not acknowledged, by `connectionKey`. */
export type SendQueues = ReadonlyMap<string, number>;

/** A row of `/proc/net/tcp`. Captures the local port, the remote port and the number of bytes in the send queue, all in hexadecimal. */
const rowPattern = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm;

/**
 * Returns the key of a connection in `SendQueues`: its two ports. If two clients have the same port, the progress of either counts
 * for both.
 */
export function connectionKey({ localPort, remotePort }: Pick<Socket, 'localPort' | 'remotePort'>): string {
  return `${localPort} ${remotePort}`;
}

/**
 * Reads the send queues of all TCP connections from `/proc/net`. Returns an empty map on systems without that directory.
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
