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
 * API keys and integration clients; a user session only. A secret is shown once, so the server stores no answer to
 * replay and these calls take no idempotency key: a create whose answer is lost is never sent again by itself and ends in
 * OutcomeUnknownError.
 * @source specification, Credential administration
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
   * The caller's API keys, newest first, expired and revoked ones included; never their secrets.
   * @example for await (const key of client.credentials.listApiKeys()) console.log(key.name, key.status);
   */
  listApiKeys(options?: CallOptions): ListPromise<Credential> {
    return sendList<Credential>(this.#send, { call: calls.listApiKeys, options });
  }

  /**
   * Makes an API key; its `secret` is in this answer and nowhere else.
   * @throws StepUpRequiredError until a one-time code has been verified in this session
   * @throws OutcomeUnknownError with no key: look at `listApiKeys` before trying again
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
   * Makes a new key with the rights of an old one, which stays active until it is revoked.
   * @throws StepUpRequiredError as for a new key
   * @throws StateConflictError `not_active`, `legacy`
   * @example const { secret } = await client.credentials.rotateApiKey(clientId);
   */
  rotateApiKey(clientId: string, input: RotateApiKeyInput = {}, options?: CallOptions): ApiPromise<CreatedCredential> {
    const request = { call: calls.rotateApiKey, pathParameters: { clientId }, body: input, options };
    return new ApiPromise(this.#send<CreatedCredential>(request));
  }

  /**
   * Ends a key; nothing happens under it after this answer.
   * @example await client.credentials.revokeApiKey(clientId);
   */
  revokeApiKey(clientId: string, options?: CallOptions): ApiPromise<void> {
    return new ApiPromise(this.#send<void>({ call: calls.revokeApiKey, pathParameters: { clientId }, options }));
  }

  /**
   * The caller's integration clients, newest first.
   * @example const { data: clients } = await client.credentials.listIntegrationClients();
   */
  listIntegrationClients(options?: CallOptions): ListPromise<Credential> {
    return sendList<Credential>(this.#send, { call: calls.listIntegrationClients, options });
  }

  /**
   * Makes an integration client; its `secret` is in this answer and nowhere else.
   * @throws OutcomeUnknownError with no key: look at `listIntegrationClients` before trying again
   * @example await client.credentials.createIntegrationClient({ name: 'sync', scopes: ['movements:read'] });
   */
  createIntegrationClient(input: CreateIntegrationClientInput, options?: CallOptions): ApiPromise<CreatedCredential> {
    return new ApiPromise(this.#send<CreatedCredential>({ call: calls.createIntegrationClient, body: input, options }));
  }

  /**
   * Ends an integration client.
   * @example await client.credentials.revokeIntegrationClient(clientId);
   */
  revokeIntegrationClient(clientId: string, options?: CallOptions): ApiPromise<void> {
    const pathParameters = { clientId };
    return new ApiPromise(this.#send<void>({ call: calls.revokeIntegrationClient, pathParameters, options }));
  }
}
