/**
 * The headers of a delivery, as Standard Webhooks names them.
 * @source docs/webhooks.md, "The request"
 */
export const webhookHeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The prefix of an endpoint's secret. The rest of the secret is the signing key: 32 random bytes in base64. */
export const webhookSecretPrefix = 'whsec_';

/**
 * The prefix of each signature in `webhook-signature`. It shows the version of the signature. The rest of the signature is an
 * HMAC-SHA256 in base64. Spaces separate the signatures.
 */
export const webhookSignaturePrefix = 'v1,';

/**
 * Returns the text that a signature covers.
 * @param delivery.timestamp the time of the attempt in seconds since 1970, as in `webhook-timestamp`
 * @source docs/webhooks.md, "The request"; Standard Webhooks
 */
export function toSignedText(delivery: {
  readonly id: string;
  readonly timestamp: number | string;
  readonly body: string;
}): string {
  return `${delivery.id}.${delivery.timestamp}.${delivery.body}`;
}
