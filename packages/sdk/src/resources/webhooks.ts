import type {
  CreatedWebhook,
  CreateWebhookInput,
  ReplayWebhookInput,
  RotateWebhookSecretInput,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookReplay,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/** The filters of a list of deliveries. All fields are optional. */
export interface DeliveryFilters {
  readonly status?: WebhookDelivery['status'] | undefined;
  /** The maximum number of deliveries in a page, 1–200. The server's default is 50. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Endpoints to which the server delivers the events of a tracker. The server returns each signing secret only once. No method takes
 * an idempotency key. So if the response to a write is lost, the client does not retry, and the call rejects with
 * OutcomeUnknownError. Receivers check deliveries with `verifyWebhook` of `@centavo/sdk/webhooks`.
 * @source docs/additions.md, section 5
 * @example
 * const { id, secret } = await client.webhooks.create({
 *   url: 'https://example.com/webhooks',
 *   eventTypes: ['movement.*'],
 * });
 * await client.webhooks.test(id);
 * for await (const delivery of client.webhooks.listDeliveries(id)) console.log(delivery.type, delivery.status);
 */
export class WebhooksResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the endpoints of the tracker, newest first, without secrets.
   * @example for await (const webhook of client.webhooks.list()) console.log(webhook.url, webhook.status);
   */
  list(options?: CallOptions): ListPromise<Webhook> {
    return sendList<Webhook>(this.#send, { call: calls.listWebhooks, options });
  }

  /**
   * Returns an endpoint.
   * @example const { lagSequence } = await client.webhooks.get(webhookId);
   */
  get(webhookId: string, options?: CallOptions): ApiPromise<Webhook> {
    return new ApiPromise(this.#send<Webhook>({ call: calls.getWebhook, pathParameters: { webhookId }, options }));
  }

  /**
   * Creates an endpoint. Only this response contains its `secret`.
   * @throws StepUpRequiredError for a user session in which no one-time code was verified recently
   * @throws StateConflictError if the tracker has 20 endpoints (reason `limit_reached`), or if the event with the number `fromSequence`
   *   was removed (reason `cursor_expired`)
   * @throws OutcomeUnknownError if the response was lost; check `list` before you repeat the call
   * @example const { secret } = await client.webhooks.create({ url: 'https://example.com/webhooks' });
   */
  create(input: CreateWebhookInput, options?: CallOptions): ApiPromise<CreatedWebhook> {
    return new ApiPromise(this.#send<CreatedWebhook>({ call: calls.createWebhook, body: input, options }));
  }

  /**
   * Changes, pauses or resumes an endpoint. A patch with `url`, even with the same URL, makes the caller the owner of the endpoint.
   * @throws StepUpRequiredError as `create` does, if the patch contains `url`
   * @throws StateConflictError if the patch has `status: 'active'`, but the endpoint cannot become active. Reason `webhook_disabled`: the
   *   secret of the endpoint was discarded, or its owner has lost access and the patch has no `url` to replace the owner. Reason
   *   `cursor_expired`: undelivered events were removed, and the patch has no `resumeFrom: 'now'`.
   * @example await client.webhooks.update(webhookId, { status: 'active', resumeFrom: 'now' });
   */
  update(webhookId: string, patch: UpdateWebhookInput, options?: CallOptions): ApiPromise<Webhook> {
    const pathParameters = { webhookId };
    return new ApiPromise(this.#send<Webhook>({ call: calls.updateWebhook, pathParameters, body: patch, options }));
  }

  /**
   * Deletes an endpoint and drops its pending deliveries.
   * @example await client.webhooks.delete(webhookId);
   */
  delete(webhookId: string, options?: CallOptions): ApiPromise<void> {
    return new ApiPromise(this.#send<void>({ call: calls.deleteWebhook, pathParameters: { webhookId }, options }));
  }

  /**
   * Replaces the secret of an endpoint. Only this response contains the new secret. During the next `overlapHours` hours (24 by
   * default), the server signs each delivery with both the old and the new secret.
   * @throws StepUpRequiredError as `create` does
   * @example const { secret } = await client.webhooks.rotateSecret(webhookId, { overlapHours: 48 });
   */
  rotateSecret(
    webhookId: string,
    input: RotateWebhookSecretInput = {},
    options?: CallOptions,
  ): ApiPromise<CreatedWebhook> {
    const request = { call: calls.rotateWebhookSecret, pathParameters: { webhookId }, body: input, options };
    return new ApiPromise(this.#send<CreatedWebhook>(request));
  }

  /**
   * Schedules a test delivery with the event type `webhook.test`. The server sends it within a second.
   * @throws StateConflictError (reason `webhook_disabled`) if the endpoint is not active
   * @example const delivery = await client.webhooks.test(webhookId);
   */
  test(webhookId: string, options?: CallOptions): ApiPromise<WebhookDelivery> {
    return new ApiPromise(
      this.#send<WebhookDelivery>({ call: calls.testWebhook, pathParameters: { webhookId }, options }),
    );
  }

  /**
   * Lists the stored deliveries of an endpoint, newest first.
   * @example const { data: failed } = await client.webhooks.listDeliveries(webhookId, { status: 'failed' });
   */
  listDeliveries(
    webhookId: string,
    filters: DeliveryFilters = {},
    options?: CallOptions,
  ): ListPromise<WebhookDelivery> {
    const request = {
      call: calls.listWebhookDeliveries,
      pathParameters: { webhookId },
      query: { ...filters },
      options,
    };
    return sendList<WebhookDelivery>(this.#send, request);
  }

  /**
   * Makes the server send a stored delivery again immediately. If this attempt fails, the retry schedule starts again from
   * the beginning.
   * @throws StateConflictError (reason `webhook_disabled`) if the endpoint is not active
   * @example await client.webhooks.retryDelivery(webhookId, deliveryId);
   */
  retryDelivery(webhookId: string, deliveryId: string, options?: CallOptions): ApiPromise<WebhookDelivery> {
    const pathParameters = { webhookId, deliveryId };
    return new ApiPromise(this.#send<WebhookDelivery>({ call: calls.retryWebhookDelivery, pathParameters, options }));
  }

  /**
   * Makes the server deliver a range of events again. Each event has the same `webhook-id` as in its first delivery.
   * @throws ValidationError if the range has more than 10,000 events
   * @throws StateConflictError (reason `webhook_disabled`) if the endpoint is not active
   * @example const { count } = await client.webhooks.replay(webhookId, { fromSequence: 1, onlyFailed: true });
   */
  replay(webhookId: string, input: ReplayWebhookInput, options?: CallOptions): ApiPromise<WebhookReplay> {
    const request = { call: calls.replayWebhook, pathParameters: { webhookId }, body: input, options };
    return new ApiPromise(this.#send<WebhookReplay>(request));
  }
}
