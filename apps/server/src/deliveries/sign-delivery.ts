import { createHmac } from 'node:crypto';
import { toSignedText, webhookHeaderNames, webhookSecretPrefix, webhookSignaturePrefix } from '@centavo/contracts';

/**
 * Returns the headers that contain an attempt's event id, time and signatures.
 * @param delivery.secrets the secrets, newest first: each is `whsec_` followed by Base64, and adds one signature
 * @param delivery.nowMs the time of the attempt
 * @source docs/webhooks.md, "The request"; Standard Webhooks
 */
export function signDelivery(delivery: {
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly nowMs: number;
}): Readonly<Record<string, string>> {
  const timestamp = Math.floor(delivery.nowMs / 1000);
  const text = toSignedText({ id: delivery.eventId, timestamp, body: delivery.body });
  const signatures = delivery.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64');
    return webhookSignaturePrefix + createHmac('sha256', key).update(text).digest('base64');
  });
  return {
    [webhookHeaderNames.id]: delivery.eventId,
    [webhookHeaderNames.timestamp]: String(timestamp),
    [webhookHeaderNames.signature]: signatures.join(' '),
  };
}
