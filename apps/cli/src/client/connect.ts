import {
  FinancialClient,
  type FinancialClientOptions,
  isConnectionError,
  isTimeoutError,
  type SteppedUp,
} from '@centavo/sdk';
import { checkData } from './record-shapes.js';
import { NotLoggedInError } from '../errors.js';
import type { Surroundings } from '../io.js';
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
export function connect(settings: Settings, vault: SessionVault, surroundings: Surroundings): Connection {
  if (settings.token !== undefined) {
    let token = settings.token;
    return {
      client: new FinancialClient({ ...clientOptions(settings, surroundings), token: () => token }),
      useSteppedUp: async (steppedUp) => {
        token = steppedUp.accessToken;
      },
    };
  }
  const anonymous = connectWithoutToken(settings, surroundings);
  const tokens = new SessionTokens({
    vault,
    baseUrl: settings.baseUrl,
    clock: surroundings.clock,
    refresh: async (refreshToken) => anonymous.identity.refreshSession({ refreshToken }, { maxRetries: 0 }),
  });
  return {
    client: new FinancialClient({
      ...clientOptions(settings, surroundings),
      token: () => tokens.getAccessToken().catch((error: unknown) => throwWhatStandsInTheWay(error, anonymous)),
    }),
    useSteppedUp: (steppedUp) => tokens.replaceAccessToken(steppedUp),
  };
}

/** A client for the calls that need no credential: logging in and renewing a session. */
export function connectWithoutToken(settings: Settings, surroundings: Surroundings): FinancialClient {
  return new FinancialClient(clientOptions(settings, surroundings));
}

/**
 * Who is not logged in to a server that is not there has mistaken the address, or not started it: a login would not help.
 * @throws ConnectionError or TimeoutError (exit 9) where that is so, else the error itself
 */
async function throwWhatStandsInTheWay(error: unknown, anonymous: FinancialClient): Promise<never> {
  if (!(error instanceof NotLoggedInError)) throw error;
  const absence = await anonymous.request({ method: 'GET', path: '/health/live', maxRetries: 0 }).then(
    () => undefined,
    (fault: unknown) => (isConnectionError(fault) || isTimeoutError(fault) ? fault : undefined),
  );
  throw absence ?? error;
}

function clientOptions(settings: Settings, surroundings: Surroundings): FinancialClientOptions {
  return {
    baseUrl: settings.baseUrl,
    timeoutMs: settings.timeoutMs,
    checkData,
    fetch: surroundings.fetch as NonNullable<FinancialClientOptions['fetch']>,
    userAgent: `centavo-cli/${cliVersion}`,
    internals: surroundings.sdkInternals,
  };
}
