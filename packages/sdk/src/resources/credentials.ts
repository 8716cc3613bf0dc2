import type {
  CreateApiKeyInput,
  CreatedCredential,
  CreateIntegrationClientInput,
  Credential,
  RotateApiKeyInput,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * API keys and integration clients. All methods require a user session. The server returns a secret only once. No method takes an
 * idempotency key. So if the response to a write is lost, the client does not retry, and the call rejects with
 * OutcomeUnknownError.
 * @source docs/financial-integration-api.md, Credential administration
 * @example
 * const { data: keys } = await client.credentials.listApiKeys();
 * for (const key of keys) if (key.status === 'expired') await client.credentials.revokeApiKey(key.clientId);
 */
export class CredentialsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the caller's API keys without their secrets, newest first, including expired and revoked keys.
   * @example for await (const key of client.credentials.listApiKeys()) console.log(key.name, key.status);
   */
  listApiKeys(options?: CallOptions): ListPromise<Credential> {
    return sendList<Credential>(this.#send, { call: calls.listApiKeys, options });
  }

  /**
   * Creates an API key. Only this response contains its `secret`.
   * @throws StepUpRequiredError if no one-time code was verified recently in this session
   * @throws StateConflictError if the user has the maximum number of credentials (reason `limit_reached`)
   * @throws OutcomeUnknownError if the response was lost; check `listApiKeys` before you repeat the call
   * @example
   * const { secret } = await client.credentials.createApiKey({
   *   name: 'import',
   *   scopes: ['movements:read', 'movements:write'],
   *   access: { mode: 'selected', trackerIds: [trackerId] },
   * });
   */
  createApiKey(input: CreateApiKeyInput, options?: CallOptions): ApiPromise<CreatedCredential> {
    return new ApiPromise(this.#send<CreatedCredential>({ call: calls.createApiKey, body: input, options }));
  }

  /**
   * Creates a key with the rights of an existing key. The old key stays active until it expires or is revoked.
   * @throws StepUpRequiredError for the same reason as in `createApiKey`
   * @throws StateConflictError if the key has expired or was revoked (reason `not_active`), has the kind `legacy` (reason `legacy`), or
   *   if the user has the maximum number of credentials (reason `limit_reached`)
   * @example const { secret } = await client.credentials.rotateApiKey(clientId);
   */
  rotateApiKey(clientId: string, input: RotateApiKeyInput = {}, options?: CallOptions): ApiPromise<CreatedCredential> {
    const request = { call: calls.rotateApiKey, pathParameters: { clientId }, body: input, options };
    return new ApiPromise(this.#send<CreatedCredential>(request));
  }

  /**
   * Revokes a key. After the response, the server rejects every request with this key.
   * @example await client.credentials.revokeApiKey(clientId);
   */
  revokeApiKey(clientId: string, options?: CallOptions): ApiPromise<void> {
    return new ApiPromise(this.#send<void>({ call: calls.revokeApiKey, pathParameters: { clientId }, options }));
  }

  /**
   * Lists the caller's integration clients, newest first.
   * @example const { data: clients } = await client.credentials.listIntegrationClients();
   */
  listIntegrationClients(options?: CallOptions): ListPromise<Credential> {
    return sendList<Credential>(this.#send, { call: calls.listIntegrationClients, options });
  }

  /**
   * Creates an integration client. Only this response contains its `secret`.
   * @throws StepUpRequiredError if the server requires a one-time code for integration clients, and none was verified recently in this
   *   session
   * @throws StateConflictError if the user has the maximum number of credentials (reason `limit_reached`)
   * @throws OutcomeUnknownError if the response was lost; check `listIntegrationClients` before you repeat the call
   * @example await client.credentials.createIntegrationClient({ name: 'sync', scopes: ['movements:read'] });
   */
  createIntegrationClient(input: CreateIntegrationClientInput, options?: CallOptions): ApiPromise<CreatedCredential> {
    return new ApiPromise(this.#send<CreatedCredential>({ call: calls.createIntegrationClient, body: input, options }));
  }

  /**
   * Revokes an integration client.
   * @example await client.credentials.revokeIntegrationClient(clientId);
   */
  revokeIntegrationClient(clientId: string, options?: CallOptions): ApiPromise<void> {
    const pathParameters = { clientId };
    return new ApiPromise(this.#send<void>({ call: calls.revokeIntegrationClient, pathParameters, options }));
  }
}
