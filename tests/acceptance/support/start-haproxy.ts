import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chooseFreePort } from './choose-free-port.js';
import type { Sandbox } from './sandbox.js';
import { until } from './until.js';

/** An HAProxy in front of several servers. */
export interface HaProxy {
  readonly origin: string;
  /** Returns whether the server with this name in the configuration gets requests. */
  isInRotation(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Whether HAProxy is installed. Without it, tests that need it are skipped with a message. */
export const hasHaProxy = spawnSync('haproxy', ['-v']).status === 0;

/**
 * Starts HAProxy with a configuration.
 * @param options.configuration must listen on the port of `origin`
 */
export async function startHaProxy(
  sandbox: Sandbox,
  { configuration, origin }: { readonly configuration: string; readonly origin: string },
): Promise<HaProxy> {
  const statistics = `127.0.0.1:${await chooseFreePort()}`;
  const withStatistics = `${configuration}
listen statistics
  bind ${statistics}
  stats enable
  stats uri /
`;
  const file = await sandbox.writeFile('haproxy.cfg', withStatistics);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'exit');
  const stateOf = async (name: string) => {
    const text = await (await fetch(`http://${statistics}/;csv`)).text();
    const [head = '', ...rows] = text.split('\n').map((line) => line.split(','));
    const [nameAt, stateAt] = [head.indexOf('svname'), head.indexOf('status')];
    return rows.find((row) => row[nameAt] === name)?.[stateAt];
  };
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await until('HAProxy answers', async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}:\n${output}`);
      return stateOf('BACKEND').then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, isInRotation: async (name) => (await stateOf(name)) === 'UP', close };
}
