import * as z from 'zod';
import { route } from '../route-contract.js';
import { createdWebhookRecord, webhookDeliveryRecord, webhookRecord, webhookReplayRecord } from './webhook-records.js';
import {
  createWebhookBody,
  replayWebhookBody,
  rotateWebhookSecretBody,
  updateWebhookBody,
  webhookActionBody,
  webhookDeliveryFilters,
} from './webhook-requests.js';
import { webhooksCalls } from './webhooks.calls.js';

export const webhooksRoutes = {
  listWebhooks: route(webhooksCalls.listWebhooks, { data: z.array(webhookRecord) }),
  getWebhook: route(webhooksCalls.getWebhook, { data: webhookRecord }),
  createWebhook: route(webhooksCalls.createWebhook, {
    body: createWebhookBody,
    data: createdWebhookRecord,
    location: ({ id }) => `/v1/financial/webhooks/${id}`,
  }),
  updateWebhook: route(webhooksCalls.updateWebhook, { body: updateWebhookBody, data: webhookRecord }),
  deleteWebhook: route(webhooksCalls.deleteWebhook, {}),
  rotateWebhookSecret: route(webhooksCalls.rotateWebhookSecret, {
    body: rotateWebhookSecretBody,
    bodyOptional: true,
    data: createdWebhookRecord,
  }),
  testWebhook: route(webhooksCalls.testWebhook, {
    body: webhookActionBody,
    bodyOptional: true,
    data: webhookDeliveryRecord,
    location: (_, { webhookId = '' }) => `/v1/financial/webhooks/${encodeURIComponent(webhookId)}/deliveries`,
  }),
  listWebhookDeliveries: route(webhooksCalls.listWebhookDeliveries, {
    query: webhookDeliveryFilters,
    data: z.array(webhookDeliveryRecord),
    paginated: true,
  }),
  retryWebhookDelivery: route(webhooksCalls.retryWebhookDelivery, {
    body: webhookActionBody,
    bodyOptional: true,
    data: webhookDeliveryRecord,
  }),
  replayWebhook: route(webhooksCalls.replayWebhook, { body: replayWebhookBody, data: webhookReplayRecord }),
} as const;
