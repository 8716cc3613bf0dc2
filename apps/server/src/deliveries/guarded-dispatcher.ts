import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { findLiteralAddress, isAllowedAddress, type Network } from '../resources/webhooks/index.js';

const connectMs = 5_000;
const answerMs = 15_000;

/** The host of a URL is an IP address that is not allowed, or a name that resolves to such an address or to no address. */
export class AddressNotAllowed extends Error {
  constructor() {
    super('The address is not allowed.');
    this.name = 'AddressNotAllowed';
  }
}

/** Resolves a host name to all its addresses. */
export type ResolveName = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * Creates the transport of deliveries. Without a proxy, it connects only to allowed IP addresses. If a proxy is used and the host of the
 * URL is an IP address, the transport checks this address. If a proxy is used and the host is a name, the proxy resolves the name and must
 * check its addresses. The transport ignores the proxy variables of the environment.
 * @param options.networks networks that are allowed although they are not public
 * @param options.resolveName resolves host names; the system's resolver by default
 * @source docs/additions.md, section 5.1; decision 0050
 */
export function createGuardedDispatcher(options: {
  readonly networks: readonly Network[];
  readonly proxyUrl: string | null;
  readonly resolveName?: ResolveName;
}): Dispatcher {
  const { networks, proxyUrl, resolveName = resolveAll } = options;
  const limits = { headersTimeout: answerMs, bodyTimeout: answerMs, maxHeaderSize: 16_384 };
  if (proxyUrl === null) return new Agent({ ...limits, connect: guardedConnect({ networks, resolveName }) });
  const proxy = new ProxyAgent({ ...limits, uri: proxyUrl, connectTimeout: connectMs } as ProxyAgent.Options);
  return proxy.compose((dispatch) => (request, handler) => {
    requireAllowedHost(new URL(String(request.origin)).hostname, networks);
    return dispatch(request, handler);
  });
}

/**
 * Requires that a host is a name or an allowed address.
 * @throws AddressNotAllowed when the host is an address that is not allowed
 */
function requireAllowedHost(hostname: string, networks: readonly Network[]): void {
  const address = findLiteralAddress(hostname);
  if (address !== undefined && !isAllowedAddress(address, networks)) throw new AddressNotAllowed();
}

/**
 * Returns the `connect` function of an Agent. If the host of the URL is a name, `lookup` checks every address of the name. Node does not
 * call `lookup` if the host is an address, so `connect` checks that address itself. Before a byte is sent, `connect` also checks the
 * remote address of the socket.
 */
function guardedConnect(options: {
  readonly networks: readonly Network[];
  readonly resolveName: ResolveName;
}): buildConnector.connector {
  const { networks, resolveName } = options;
  const isAllowed = (address: string) => isAllowedAddress(address, networks);
  const connectSocket = buildConnector({ timeout: connectMs, lookup: guardedLookup({ isAllowed, resolveName }) });
  const startTls = buildConnector({ timeout: connectMs });
  return (target, callback) => {
    try {
      requireAllowedHost(target.hostname, networks);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const isTls = target.protocol === 'https:';
    const port = target.port === '' ? (isTls ? '443' : '80') : target.port;
    // The connection begins without TLS, because the handshake would send bytes before the remote address of the socket is checked.
    connectSocket({ ...target, protocol: 'http:', port }, (...[failure, socket]) => {
      if (failure !== null) callback(failure, null);
      else if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) {
        socket.destroy();
        callback(new AddressNotAllowed(), null);
      } else if (isTls) startTls({ ...target, port, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}

function resolveAll(name: string, done: Parameters<ResolveName>[1]): void {
  lookUpName(name, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

/** Returns a `lookup` function that fails if an address of the name is not allowed, or if the name has no address. */
function guardedLookup(options: {
  readonly isAllowed: (address: string) => boolean;
  readonly resolveName: ResolveName;
}): LookupFunction {
  return (name, { all }, done) => {
    options.resolveName(name, (error, addresses) => {
      const [first] = addresses;
      if (error !== null) done(error, '');
      else if (first === undefined || !addresses.every(({ address }) => options.isAllowed(address))) {
        done(new AddressNotAllowed(), '');
      } else if (all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}
