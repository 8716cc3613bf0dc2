import type { Dispatcher } from 'undici';
import { TunnelError, toProxyFailure } from './proxy-failure.js';
import { findProxy, type ProxySettings, readProxySettings, toAgentOptions } from './proxy-settings.js';

/**
 * The maximum number of connections to the server. An import that sends one row per request also has at most this many requests in
 * progress.
 */
export const connectionsMax = 8;

/**
 * Returns a `fetch` function that reuses connections and uses the proxies of the environment. It loads undici at the first
 * request, because many commands send none.
 */
export function openFetch(env: Readonly<Record<string, string | undefined>>): typeof globalThis.fetch {
  let opened: Promise<{ readonly dispatcher: unknown; readonly settings: ProxySettings }> | undefined;
  return async (input, init) => {
    opened ??= openDispatcher(env);
    const { dispatcher, settings } = await opened;
    try {
      // A cast, because the types of the global fetch use the Dispatcher of the older undici version that is part of Node.
      return await globalThis.fetch(input, { ...init, dispatcher } as RequestInit);
    } catch (error) {
      const choice = await findProxy(settings, input instanceof Request ? input.url : String(input));
      throw choice.kind === 'proxy' ? toProxyFailure(error, choice.proxy) : error;
    }
  };
}

async function openDispatcher(env: Readonly<Record<string, string | undefined>>) {
  const settings = readProxySettings(env);
  const { EnvHttpProxyAgent, Pool } = await import('undici');
  /**
   * When the proxy closes the connection, undici repeats CONNECT without a pause. It does not repeat CONNECT after a
   * TunnelError, so this function converts every error of CONNECT to a TunnelError.
   */
  function openTunnels(proxy: URL, options: object): Dispatcher {
    const pool = new Pool(proxy, options);
    const connect = pool.connect.bind(pool);
    return Object.assign(pool, {
      connect: (request: Dispatcher.ConnectOptions) =>
        connect(request).catch((error: Error) => {
          throw new TunnelError(error);
        }),
    });
  }
  const dispatcher = new EnvHttpProxyAgent({
    ...toAgentOptions(settings),
    // Sets `connections` here, because the agent does not pass this option to the pool of a proxy that forwards http:// requests.
    factory: (origin, options) => new Pool(origin, { ...options, connections: connectionsMax }),
    clientFactory: openTunnels,
    // Proxies often allow CONNECT to port 443 only, so http:// is forwarded without a tunnel.
    proxyTunnel: false,
  });
  return { dispatcher, settings };
}
