import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A load balancer that distributes TCP connections among several servers and checks their health. */
export interface Balancer {
  readonly origin: string;
  /** Whether the server at this origin gets new connections. */
  isInRotation(origin: string): boolean;
  close(): Promise<void>;
}

interface Member {
  readonly origin: URL;
  isInRotation: boolean;
}

const checkEveryMs = 50;

/** Starts a balancer. New connections alternate between the servers that respond to `GET /health/ready` with 200. */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  const members = origins.map((origin): Member => ({ origin: new URL(origin), isInRotation: false }));
  const sockets = new Set<Socket>();
  let turn = 0;
  let isOver = false;

  /** Connects the client to the next server that accepts the connection. A refused connection loses no data. */
  function forward(client: Socket): void {
    sockets.add(client);
    client.on('error', () => {});
    client.on('close', () => sockets.delete(client));
    client.pause();
    const candidates = members.filter(({ isInRotation }) => isInRotation);
    turn += 1;
    tryNext([...candidates.slice(turn % candidates.length), ...candidates.slice(0, turn % candidates.length)]);

    function tryNext([next, ...others]: readonly Member[]): void {
      if (next === undefined) {
        client.resetAndDestroy();
        return;
      }
      const server = connect(Number(next.origin.port), next.origin.hostname);
      let isConnected = false;
      sockets.add(server);
      server.on('close', () => sockets.delete(server));
      server.on('error', () => {
        if (isConnected) client.resetAndDestroy();
        else tryNext(others);
      });
      server.on('connect', () => {
        isConnected = true;
        client.on('close', () => server.destroy());
        client.pipe(server).pipe(client);
      });
    }
  }

  async function watchHealth(member: Member): Promise<void> {
    while (!isOver) {
      member.isInRotation = await fetch(new URL('/health/ready', member.origin), {
        headers: { Connection: 'close' },
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      await delay(checkEveryMs);
    }
  }
  const watches = members.map(watchHealth);
  const balancer = createServer(forward);
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  return {
    origin: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    isInRotation: (origin) => members.some((member) => member.origin.origin === origin && member.isInRotation),
    async close() {
      isOver = true;
      await Promise.all(watches);
      const closed = once(balancer, 'close');
      balancer.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
