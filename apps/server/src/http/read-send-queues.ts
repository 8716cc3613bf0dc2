import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

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
