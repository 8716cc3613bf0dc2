import { call } from '../call-contract.js';

/**
 * The operations on webhook endpoints, to which the server delivers the events of a tracker.
 * @source docs/additions.md, section 5.1
 */
export const webhooksCalls = {
  listWebhooks: call({
    name: 'listWebhooks',
    resource: 'webhooks',
    method: 'GET',
    path: '/webhooks',
    scopes: ['webhooks:read'],
  }),
  getWebhook: call({
    name: 'getWebhook',
    resource: 'webhooks',
    method: 'GET',
    path: '/webhooks/{webhookId}',
    scopes: ['webhooks:read'],
  }),
  createWebhook: call({
    name: 'createWebhook',
    resource: 'webhooks',
    method: 'POST',
    path: '/webhooks',
    scopes: ['webhooks:write'],
    stepUp: true,
    numbersEvents: true,
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  // A user session needs step-up authentication for this operation only if the body has a `url`.
  updateWebhook: call({
    name: 'updateWebhook',
    resource: 'webhooks',
    method: 'PATCH',
    path: '/webhooks/{webhookId}',
    scopes: ['webhooks:write'],
    numbersEvents: true,
    errors: ['STATE_CONFLICT', 'STEP_UP_REQUIRED'],
  }),
  deleteWebhook: call({
    name: 'deleteWebhook',
    resource: 'webhooks',
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    scopes: ['webhooks:write'],
    status: 204,
  }),
  rotateWebhookSecret: call({
    name: 'rotateWebhookSecret',
    resource: 'webhooks',
    method: 'POST',
    path: '/webhooks/{webhookId}/rotate-secret',
    scopes: ['webhooks:write'],
    stepUp: true,
  }),
  testWebhook: call({
    name: 'testWebhook',
    resource: 'webhooks',
    method: 'POST',
    path: '/webhooks/{webhookId}/test',
    scopes: ['webhooks:write'],
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  listWebhookDeliveries: call({
    name: 'listWebhookDeliveries',
    resource: 'webhooks',
    method: 'GET',
    path: '/webhooks/{webhookId}/deliveries',
    scopes: ['webhooks:read'],
  }),
  retryWebhookDelivery: call({
    name: 'retryWebhookDelivery',
    resource: 'webhooks',
    method: 'POST',
    path: '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    scopes: ['webhooks:write'],
    errors: ['STATE_CONFLICT'],
  }),
  replayWebhook: call({
    name: 'replayWebhook',
    resource: 'webhooks',
    method: 'POST',
    path: '/webhooks/{webhookId}/replay',
    scopes: ['webhooks:write'],
    errors: ['STATE_CONFLICT'],
  }),
} as const;
