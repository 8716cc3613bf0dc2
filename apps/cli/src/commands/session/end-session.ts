import { isAuthenticationError } from '@centavo/sdk';
import { NotLoggedInError } from '../../errors.js';
import { connect } from '../../client/connect.js';
import type { ProfileStore } from '../../config/profiles.js';
import type { SessionVault } from '../../config/session.js';
import type { Invocation } from '../shared/context.js';

/**
 * Ends the session of a profile on its own server, whatever --base-url or a token in the environment say, and forgets it
 * here in any case; without one nothing happens.
 * @throws what the server or the way to it threw; the session is then forgotten here, and lives on there
 */
export async function endSession(
  { settings, surroundings, printer }: Invocation,
  { store, vault }: { store: ProfileStore; vault: SessionVault },
): Promise<void> {
  const { session } = await store.read();
  if (session === undefined) return;
  const own = { ...settings, baseUrl: session.baseUrl, token: undefined };
  try {
    await connect(own, vault, surroundings).client.identity.endSession();
  } catch (error) {
    const hasEnded = isAuthenticationError(error) || error instanceof NotLoggedInError;
    if (!hasEnded) {
      printer.warn('The session was forgotten here, but the server could not be told: it lives until it expires.');
      throw error;
    }
  } finally {
    await vault.forget();
  }
}
