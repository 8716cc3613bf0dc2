import { webhookSecretPrefix } from '@centavo/contracts';

/** Returns the owner name with which the secret of an endpoint is encrypted. Decryption fails with any other name. */
export const webhookSecretOwner = (endpointId: string) => `webhook:${endpointId}`;

/** Returns a new secret: `whsec_` and Base64 of 32 random bytes. */
export function makeWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return webhookSecretPrefix + Buffer.from(randomBytes(32)).toString('base64');
}
