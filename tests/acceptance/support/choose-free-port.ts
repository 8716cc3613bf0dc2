import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port of 127.0.0.1. The port is below the range from which systems choose ports for outgoing
 * connections, so it probably stays free while a server restarts.
 */
export async function chooseFreePort(): Promise<string> {
  for (;;) {
    const port = randomInt(12_000, 30_000);
    const probe = createServer();
    const listening = once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    probe.close();
    await once(probe, 'close');
    return String(port);
  }
}
