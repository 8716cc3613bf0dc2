/** The parts of the module `webhooks` that the rest of the server may import. */
export { encryptWebhookSecrets } from './encrypt-webhook-secrets.queries.js';
export type { UrlPolicy } from './endpoint-url.js';
export { findLiteralAddress, isAllowedAddress, type Network } from './public-address.js';
export { webhookSecretOwner } from './webhook-secret.js';
export { absentWebhooksEndpoints, createWebhooksEndpoints } from './webhooks.endpoints.js';
