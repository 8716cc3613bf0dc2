import {
  FinancialClient,
  type FinancialClientOptions,
  isConnectionError,
  isTimeoutError,
  type SteppedUp,
} from '@centavo/sdk';
import { SessionTokens, type SessionVault } from '../config/session.js';
import type { Settings } from '../config/settings.js';
import { NotLoggedInError } from '../errors.js';
import type { Io } from '../io.js';
import { readProxySettings } from '../network/proxy-settings.js';
import { cliVersion } from '../version.js';
import { checkData } from './check-data.js';

/** An authenticated client of the API. */
export interface Connection {
  readonly client: FinancialClient;
  /** Uses the token of `steppedUp` for later requests. The server returned this token in exchange for a one-time code. */
  useSteppedUp(steppedUp: SteppedUp): Promise<void>;
}

/**
 * Returns a connection with the token from standard input or the environment. If there is no token, the connection uses the
 * session of the profile. Sends no request, and reads the session only when the first call needs it.
 */
export function connect(settings: Settings, vault: SessionVault, io: Io): Connection {
  if (settings.token !== undefined) {
    let token = settings.token;
    return {
      client: new FinancialClient({ ...clientOptions(settings, io), token: () => token }),
      useSteppedUp: async (steppedUp) => {
        token = steppedUp.accessToken;
      },
    };
  }
  const anonymous = connectWithoutToken(settings, io);
  const tokens = new SessionTokens({
    vault,
    baseUrl: settings.baseUrl,
    clock: io.clock,
    refresh: async (refreshToken) => anonymous.identity.refreshSession({ refreshToken }, { maxRetries: 0 }),
  });
  return {
    client: new FinancialClient({
      ...clientOptions(settings, io),
      token: () => tokens.getAccessToken().catch((error: unknown) => preferConnectionError(error, anonymous)),
    }),
    useSteppedUp: (steppedUp) => tokens.replaceAccessToken(steppedUp),
  };
}

/** Returns a client for calls without a credential, such as logging in and renewing a session. */
export function connectWithoutToken(settings: Settings, io: Io): FinancialClient {
  return new FinancialClient(clientOptions(settings, io));
}

/**
 * If `error` means "not logged in" but the server cannot be reached, throws the connection error, because a login would not
 * help. In all other cases, throws `error`.
 * @throws ConnectionError or TimeoutError (exit 9) when the server cannot be reached
 */
async function preferConnectionError(error: unknown, anonymous: FinancialClient): Promise<never> {
  if (!(error instanceof NotLoggedInError)) throw error;
  const connectionError = await anonymous.request({ method: 'GET', path: '/health/live', maxRetries: 0 }).then(
    () => undefined,
    (fault: unknown) => (isConnectionError(fault) || isTimeoutError(fault) ? fault : undefined),
  );
  throw connectionError ?? error;
}

function clientOptions(settings: Settings, io: Io): FinancialClientOptions {
  // Throws if a proxy setting is malformed. Without this check, `fetch` would throw later, and the SDK would report a failed
  // connection.
  readProxySettings(io.env);
  return {
    baseUrl: settings.baseUrl,
    timeoutMs: settings.timeoutMs,
    checkData,
    fetch: io.fetch as NonNullable<FinancialClientOptions['fetch']>,
    userAgent: `centavo-cli/${cliVersion}`,
    internals: io.sdkInternals,
  };
}
