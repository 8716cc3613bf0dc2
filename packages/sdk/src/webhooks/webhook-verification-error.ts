import { brandErrors, hasErrorBrand } from '../errors/error-brand.js';
import { FinancialError } from '../errors/financial-error.js';

/**
 * The reason why a webhook was rejected:
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or empty.
 * - `bad_timestamp`: `webhook-timestamp` is not a whole number of seconds.
 * - `too_old`: the time of the delivery attempt is outside the tolerance, in the past or in the future.
 * - `no_match`: no signature of the webhook is valid for any of the secrets.
 * - `not_raw`: the body is missing, or it is a parsed value instead of text or bytes, so the signed bytes are lost.
 */
export type WebhookFailure = 'missing_header' | 'bad_timestamp' | 'too_old' | 'no_match' | 'not_raw';

/**
 * The error that `verifyWebhook` throws when it rejects a webhook. Respond with 400, and do not process the body.
 * @example
 * import { isWebhookVerificationError, verifyWebhook } from '@centavo/sdk/webhooks';
 *
 * try {
 *   await verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_c2VjcmV0' });
 * } catch (error) {
 *   if (!isWebhookVerificationError(error)) throw error;
 *   console.error(error.reason); // missing_header
 * }
 */
export class WebhookVerificationError extends FinancialError {
  readonly reason: WebhookFailure;

  static {
    brandErrors(WebhookVerificationError, 'WebhookVerificationError');
  }

  constructor(reason: WebhookFailure, message: string) {
    super(message);
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}

export function isWebhookVerificationError(value: unknown): value is WebhookVerificationError {
  return hasErrorBrand(value, 'WebhookVerificationError');
}
