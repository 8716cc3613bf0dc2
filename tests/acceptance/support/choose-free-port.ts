import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Gives a port of 127.0.0.1 that is free now and likely stays so while the server that uses it is restarted: it lies
 * below the range from which systems choose ports for outgoing connections.
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
