import { chooseFreePort } from '../../acceptance/support/choose-free-port.js';
import type { Sandbox, Server, ServerOptions } from '../../acceptance/support/sandbox.js';
import { type ResponseCutter, startResponseCutter } from '../../acceptance/support/start-response-cutter.js';

/** A server that restarts at the same address, behind a proxy that can lose its responses. */
export interface FleetServer {
  readonly cutter: ResponseCutter;
  /** Kills and restarts the server. */
  killAndRestart(): Promise<void>;
}

/**
 * Starts servers that share a DATA_DIR and its PostgreSQL, as several processes of one host do.
 * @param options.size the number of servers
 */
export async function startFleet(
  sandbox: Sandbox,
  options: { readonly dataDir: string; readonly size: number },
): Promise<readonly [FleetServer, ...FleetServer[]]> {
  const fleet: [FleetServer, ...FleetServer[]] = [await startFleetServer(sandbox, { dataDir: options.dataDir })];
  while (fleet.length < options.size) fleet.push(await startFleetServer(sandbox, { dataDir: options.dataDir }));
  return fleet;
}

const startsMax = 20;

/** Starts one server that restarts at the same address. */
export async function startFleetServer(sandbox: Sandbox, { dataDir, env: given }: ServerOptions): Promise<FleetServer> {
  const env = { PORT: await chooseFreePort(), LOG_LEVEL: 'error', ...given };
  const start = () => sandbox.startServer({ ...(dataDir === undefined ? {} : { dataDir }), env });
  let server: Server = await start();
  const cutter = await startResponseCutter(server.origin);
  return {
    cutter,
    async killAndRestart() {
      await server.kill('SIGKILL');
      // A server exits if PostgreSQL crashes during its start. This loop starts the server again, as a supervisor does.
      for (let starts = 1; ; starts += 1) {
        try {
          server = await start();
          return;
        } catch (error) {
          if (starts === startsMax) throw error;
        }
      }
    },
  };
}
