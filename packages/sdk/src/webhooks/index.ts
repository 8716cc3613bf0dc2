/**
 * The entry point `@centavo/sdk/webhooks`, for receivers of webhooks. It needs WebCrypto and no npm package.
 */

export type { WebhookEvent } from '@centavo/contracts/calls';
export type { VerifyWebhookOptions, WebhookHeaders } from './verify-webhook.js';
export { verifyWebhook } from './verify-webhook.js';
export type { WebhookFailure } from './webhook-verification-error.js';
export { isWebhookVerificationError, WebhookVerificationError } from './webhook-verification-error.js';
