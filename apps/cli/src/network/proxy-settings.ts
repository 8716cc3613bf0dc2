import { UsageError } from '../errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the environment variable that names it. */
export interface ProxySetting {
  /** May contain a user and a password, so only its host is printed. */
  readonly url: URL;
  readonly variable: string;
}

/** The proxies of the environment. */
export interface ProxySettings {
  readonly http: ProxySetting | undefined;
  readonly https: ProxySetting | undefined;
  readonly noProxy: { readonly value: string; readonly variable: string } | undefined;
}

/** The proxy for requests to a URL, or none. If a proxy is set but not used for this URL, `reason` says why. */
export type ProxyChoice =
  | { readonly kind: 'proxy'; readonly proxy: ProxySetting }
  | { readonly kind: 'none'; readonly reason: string | undefined };

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. The lower-case name takes precedence, an empty variable counts as unset, and
 * HTTP_PROXY also applies to https:// if HTTPS_PROXY is unset. A proxy without a scheme is an http:// proxy, as in curl.
 * @throws UsageError (exit 2) for a proxy that is not an http or https URL
 */
export function readProxySettings(env: Environment): ProxySettings {
  const http = readProxy(env, 'HTTP_PROXY');
  return { http, https: readProxy(env, 'HTTPS_PROXY') ?? http, noProxy: readVariable(env, 'NO_PROXY') };
}

function readProxy(env: Environment, name: string): ProxySetting | undefined {
  const found = readVariable(env, name);
  if (found === undefined) return undefined;
  const { value, variable } = found;
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return { url, variable };
  // The message omits the value, which may contain a password.
  throw new UsageError(
    `${variable} is not an http or https URL.`,
    `Set ${variable} to a URL such as http://proxy.example:3128, or unset it.`,
  );
}

function readVariable(env: Environment, name: string): { value: string; variable: string } | undefined {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable];
    if (value) return { value, variable };
  }
  return undefined;
}

/**
 * Returns the options for undici's EnvHttpProxyAgent. An option that has no value is an empty string,
 * because for a missing option the agent would read the environment itself.
 */
export function toAgentOptions(settings: ProxySettings): { httpProxy: string; httpsProxy: string; noProxy: string } {
  return {
    httpProxy: settings.http !== undefined && isOnThisMachine(settings.http) ? settings.http.url.href : '',
    httpsProxy: settings.https?.url.href ?? '',
    noProxy: settings.noProxy?.value ?? '',
  };
}

/**
 * Returns the proxy that undici's EnvHttpProxyAgent uses for a URL. Each library has its own rules for NO_PROXY. To
 * apply the rules of undici, the function sends a request through an agent of undici that opens no connection, and checks
 * whether the agent chooses the proxy.
 */
export async function findProxy(settings: ProxySettings, target: string): Promise<ProxyChoice> {
  const { http, https, noProxy } = settings;
  const url = new URL(target);
  const proxy = url.protocol === 'https:' ? https : http;
  if (proxy === undefined) return { kind: 'none', reason: undefined };
  if (url.protocol === 'http:' && !isOnThisMachine(proxy)) {
    return {
      kind: 'none',
      reason: `${proxy.variable} names a proxy on another machine, and http:// requests must not leave this machine`,
    };
  }
  if (noProxy === undefined || (await leadsToProxy(toAgentOptions(settings), url))) return { kind: 'proxy', proxy };
  return { kind: 'none', reason: `${noProxy.variable} excludes ${url.hostname}` };
}

async function leadsToProxy(options: ReturnType<typeof toAgentOptions>, { origin }: URL): Promise<boolean> {
  const { EnvHttpProxyAgent } = await import('undici');
  const needsProxy = new Error('A proxy is needed');
  let isProxied = false;
  const connectToProxy = async () => {
    isProxied = true;
    throw needsProxy;
  };
  const agent = new EnvHttpProxyAgent({
    ...options,
    clientFactory: () => ({ connect: connectToProxy }) as never,
    connect: (_, callback) => callback(needsProxy, null),
  });
  await agent.request({ origin, path: '/', method: 'GET' }).catch((error: unknown) => {
    if (error !== needsProxy) throw error;
  });
  return isProxied;
}

/**
 * Returns whether a proxy is on this machine. The SDK sends http:// requests only to a server on this machine, because they
 * are not encrypted. A proxy on another machine could read the token, and would look for the host `localhost` on its own
 * machine.
 */
function isOnThisMachine(proxy: ProxySetting): boolean {
  return isLoopback(proxy.url.hostname);
}

/**
 * Returns whether the host name of a URL means this machine. Subdomains of `localhost` do not: a resolver may query the
 * network for them.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
}
