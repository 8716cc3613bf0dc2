import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'iovalkey';

/** A Redis server for one test. The test may kill, pause and restart it at the same address. */
export interface TestRedis {
  readonly url: string;
  /** Returns the keys of all rate limits. */
  limitKeys(): Promise<string[]>;
  /** Returns the longest time to live of all rate limit keys, in seconds; Infinity if a key never expires. */
  secondsToLiveMax(): Promise<number>;
  /** Kills Redis with SIGKILL. Its data is lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses Redis with SIGSTOP: its connections stay open, and it does not respond until `resume`. */
  hang(): void;
  resume(): void;
  close(): Promise<void>;
}

/** True if redis-server is installed. Otherwise the tests that need it are skipped with a message. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** Starts a Redis server on a free port, with its files in a temporary directory. */
export async function startRedis(): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'centavo-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
    child = spawn('redis-server', settings, { stdio: 'ignore' });
    await waitUntilReady(url);
  }

  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url,
    limitKeys: () => run(url, (redis) => redis.keys('centavo:limit:*')),
    secondsToLiveMax: () =>
      run(url, async (redis) => {
        const keys = await redis.keys('centavo:limit:*');
        const lives = await Promise.all(keys.map((key) => redis.ttl(key)));
        return Math.max(...lives.map((seconds) => (seconds === -1 ? Number.POSITIVE_INFINITY : seconds)));
      }),
    kill,
    start,
    hang: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async close() {
      await kill();
      await rm(directory, { recursive: true });
    },
  };
}

async function run<Result>(url: string, command: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await command(redis);
  } finally {
    redis.disconnect();
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await run(url, (redis) => redis.ping());
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await pause(25);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
