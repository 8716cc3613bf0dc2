import { call } from '../call-contract.js';

/**
 * The operations on API keys and integration clients. All of them require a user session.
 * @source docs/financial-integration-api.md, Credential administration
 */
export const credentialsCalls = {
  listApiKeys: call({
    name: 'listApiKeys',
    resource: 'credentials',
    method: 'GET',
    path: '/api-keys',
    caller: 'user',
    tracker: 'optional',
  }),
  createApiKey: call({
    name: 'createApiKey',
    resource: 'credentials',
    method: 'POST',
    path: '/api-keys',
    caller: 'user',
    tracker: 'optional',
    stepUp: true,
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  rotateApiKey: call({
    name: 'rotateApiKey',
    resource: 'credentials',
    method: 'POST',
    path: '/api-keys/{clientId}/rotate',
    caller: 'user',
    tracker: 'optional',
    stepUp: true,
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  revokeApiKey: call({
    name: 'revokeApiKey',
    resource: 'credentials',
    method: 'DELETE',
    path: '/api-keys/{clientId}',
    caller: 'user',
    tracker: 'optional',
    status: 204,
  }),
  listIntegrationClients: call({
    name: 'listIntegrationClients',
    resource: 'credentials',
    method: 'GET',
    path: '/integration-clients',
    caller: 'user',
    tracker: 'optional',
  }),
  // This operation requires a recent one-time code only if the operator sets INTEGRATION_CLIENTS_REQUIRE_STEP_UP.
  createIntegrationClient: call({
    name: 'createIntegrationClient',
    resource: 'credentials',
    method: 'POST',
    path: '/integration-clients',
    caller: 'user',
    tracker: 'optional',
    status: 201,
    errors: ['STATE_CONFLICT', 'STEP_UP_REQUIRED'],
  }),
  revokeIntegrationClient: call({
    name: 'revokeIntegrationClient',
    resource: 'credentials',
    method: 'DELETE',
    path: '/integration-clients/{clientId}',
    caller: 'user',
    tracker: 'optional',
    status: 204,
  }),
} as const;
