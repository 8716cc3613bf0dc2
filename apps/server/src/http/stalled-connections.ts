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
  /** When `drained` last grew, or nothing was left to drain. */
  atMs: number;
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
  readonly #connections = new Map<Socket, Progress>();

  /** @param options.nowMs a clock that nobody sets; tests move it */
  constructor({ limits, nowMs }: { readonly limits: UnreadLimits; readonly nowMs: () => number }) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Watches a connection until it is closed. */
  follow(socket: Socket): void {
    this.#connections.set(socket, { drained: 0, atMs: this.#nowMs() });
    socket.once('close', () => this.#connections.delete(socket));
  }

  /**
   * Ends the connections that drained nothing for too long. While large answers take more memory than they may, it also ends
   * those that drained nothing since the last look, the longest first.
   */
  endStalled(): void {
    const nowMs = this.#nowMs();
    const idle: { readonly socket: Socket; readonly atMs: number }[] = [];
    let bytes = 0;
    for (const [socket, progress] of this.#connections) {
      if (socket.writableLength === 0) {
        progress.atMs = nowMs;
        continue;
      }
      // `bytesWritten` counts what waits in Node too. The system takes a write as a whole, so large answers are written in pieces.
      const drained = socket.bytesWritten - socket.writableLength;
      if (drained !== progress.drained) Object.assign(progress, { drained, atMs: nowMs });
      bytes += unreadBytes.get(socket) ?? 0;
      if (progress.atMs < nowMs) idle.push({ socket, atMs: progress.atMs });
    }
    for (const { socket, atMs } of idle.sort((one, other) => one.atMs - other.atMs)) {
      const held = unreadBytes.get(socket) ?? 0;
      const isOverBudget = bytes > this.#limits.unreadBytesMax && held > 0;
      if (!isOverBudget && nowMs - atMs < this.#limits.unreadMsMax) continue;
      reset(socket);
      bytes -= held;
    }
  }
}

/** Ends a connection and frees what the system still holds for it, which a plain end would go on sending. */
function reset(socket: Socket): void {
  // Node has no reset for TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
