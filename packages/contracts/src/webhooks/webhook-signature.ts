/**
 * The headers of a delivery, as Standard Webhooks names them.
 * @source additions, section 5.2
 */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The prefix of the secret of an endpoint. Base64 of 32 random bytes follows: the key of the signatures. */
export const webhookSecretPrefix = 'whsec_';

/** The version of a signature in `webhook-signature`. Base64 of an HMAC-SHA256 follows; a space separates signatures. */
export const webhookSignaturePrefix = 'v1,';

/**
 * Returns the text that a signature covers.
 * @param delivery.timestamp the time of the attempt in seconds since 1970, as in `webhook-timestamp`
 * @source additions, section 5.2; Standard Webhooks
 */
export function toSignedText(delivery: {
  readonly id: string;
  readonly timestamp: number | string;
  readonly body: string;
}): string {
  return `${delivery.id}.${delivery.timestamp}.${delivery.body}`;
}
