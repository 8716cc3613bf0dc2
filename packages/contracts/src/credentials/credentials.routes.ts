import * as z from 'zod';
import { route } from '../route-contract.js';
import { createdCredentialRecord, credentialRecord } from './credential-record.js';
import { createApiKeyBody, createIntegrationClientBody, rotateApiKeyBody } from './credential-requests.js';
import { credentialsCalls } from './credentials.calls.js';

export const credentialsRoutes = {
  listApiKeys: route(credentialsCalls.listApiKeys, { data: z.array(credentialRecord) }),
  createApiKey: route(credentialsCalls.createApiKey, {
    body: createApiKeyBody,
    data: createdCredentialRecord,
    location: () => '/v1/financial/api-keys',
  }),
  rotateApiKey: route(credentialsCalls.rotateApiKey, {
    body: rotateApiKeyBody,
    bodyOptional: true,
    data: createdCredentialRecord,
    location: () => '/v1/financial/api-keys',
  }),
  revokeApiKey: route(credentialsCalls.revokeApiKey, {}),
  listIntegrationClients: route(credentialsCalls.listIntegrationClients, { data: z.array(credentialRecord) }),
  createIntegrationClient: route(credentialsCalls.createIntegrationClient, {
    body: createIntegrationClientBody,
    data: createdCredentialRecord,
    location: () => '/v1/financial/integration-clients',
  }),
  revokeIntegrationClient: route(credentialsCalls.revokeIntegrationClient, {}),
} as const;
