/** The exports of webhooks to the rest of the server. */
export { encryptWebhookSecrets } from './encrypt-webhook-secrets.queries.js';
export type { UrlPolicy } from './endpoint-url.js';
export { findLiteralAddress, isAllowedAddress, type Network } from './public-address.js';
export { webhookSecretOwner } from './webhook-secret.js';
export { absentWebhooksEndpoints, createWebhooksEndpoints } from './webhooks.endpoints.js';
