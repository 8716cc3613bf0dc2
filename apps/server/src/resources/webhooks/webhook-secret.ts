import { webhookSecretPrefix } from '@centavo/contracts';

/** Returns the name that identifies an endpoint as the owner of its encrypted secret. Decryption fails with any other name. */
export const webhookSecretOwner = (endpointId: string) => `webhook:${endpointId}`;

/** Returns a new secret: `whsec_` and Base64 of 32 random bytes. */
export function makeWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return webhookSecretPrefix + Buffer.from(randomBytes(32)).toString('base64');
}
