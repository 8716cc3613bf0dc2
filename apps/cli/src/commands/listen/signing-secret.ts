import { randomBytes } from 'node:crypto';
import { webhookSecretPrefix } from '@centavo/contracts/calls';
import type { ProfileStore } from '../../config/profiles.js';

/** Returns the secret with which `listen` signs events. Creates the secret at the first use, and stores it in the profile. */
export async function requireSigningSecret(store: ProfileStore): Promise<string> {
  let secret = '';
  await store.update((profile) => {
    const isStored = typeof profile.listenSecret === 'string' && secretPattern.test(profile.listenSecret);
    secret = isStored ? String(profile.listenSecret) : `${webhookSecretPrefix}${randomBytes(32).toString('base64')}`;
    return isStored ? undefined : { ...profile, listenSecret: secret };
  });
  return secret;
}

const secretPattern = new RegExp(`^${webhookSecretPrefix}[A-Za-z0-9+/]{43}=$`);
