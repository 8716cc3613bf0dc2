import {
  FinancialClient,
  type FinancialClientOptions,
  isConnectionError,
  isTimeoutError,
  type SteppedUp,
} from '@centavo/sdk';
import { checkData } from './record-shapes.js';
import { NotLoggedInError } from '../errors.js';
import type { Io } from '../io.js';
import { cliVersion } from '../version.js';
import type { Settings } from '../config/settings.js';
import { SessionTokens, type SessionVault } from '../config/session.js';

/** A client of the API as somebody, and the way to go on as the same somebody after a one-time code. */
export interface Connection {
  readonly client: FinancialClient;
  useSteppedUp(steppedUp: SteppedUp): Promise<void>;
}

/**
 * Connects as whom the settings say: the token of stdin or environment, else the profile's session. Nothing is sent yet, and
 * the session is looked for when the first call needs it.
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

/** A client for the calls that need no credential: logging in and renewing a session. */
export function connectWithoutToken(settings: Settings, io: Io): FinancialClient {
  return new FinancialClient(clientOptions(settings, io));
}

/**
 * Who is not logged in to a server that is not there has mistaken the address, or not started it: a login would not help.
 * @throws ConnectionError or TimeoutError (exit 9) where that is so, else the error itself
 */
async function preferConnectionError(error: unknown, anonymous: FinancialClient): Promise<never> {
  if (!(error instanceof NotLoggedInError)) throw error;
  const absence = await anonymous.request({ method: 'GET', path: '/health/live', maxRetries: 0 }).then(
    () => undefined,
    (fault: unknown) => (isConnectionError(fault) || isTimeoutError(fault) ? fault : undefined),
  );
  throw absence ?? error;
}

function clientOptions(settings: Settings, io: Io): FinancialClientOptions {
  return {
    baseUrl: settings.baseUrl,
    timeoutMs: settings.timeoutMs,
    checkData,
    fetch: io.fetch as NonNullable<FinancialClientOptions['fetch']>,
    userAgent: `centavo-cli/${cliVersion}`,
    internals: io.sdkInternals,
  };
}
