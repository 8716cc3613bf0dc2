import type { WebhookEvent } from '@centavo/contracts/calls';
import { signaturesOf, webhookHeaderNames } from '../webhooks/signature.js';
import { anId, sharedClientId, sharedMoment, sharedTrackerId } from './an-id.js';

/** The body of a webhook, and the secret that signs it. */
export interface SignWebhookOptions {
  readonly body: string | Uint8Array;
  /**
   * The secret (`whsec_…`), or several secrets, newest first. For some time after a rotation, the server signs with both the new and
   * the old secret.
   */
  readonly secret: string | readonly string[];
  /** The id of the event. Default: `data.id` of the body, or a new id if the body has no id. */
  readonly id?: string | undefined;
  /** The time of the delivery attempt. Default: the current time. */
  readonly timestamp?: Date | undefined;
}

/**
 * Returns the headers that the server sends with a webhook, for tests of a receiver.
 * @example
 * import { aWebhookEvent, signWebhook } from '@centavo/sdk/testing';
 * import { verifyWebhook } from '@centavo/sdk/webhooks';
 *
 * const secret = 'whsec_c2VjcmV0';
 * const body = JSON.stringify(aWebhookEvent({ type: 'movement.voided' }));
 * const headers = await signWebhook({ body, secret });
 * const event = await verifyWebhook({ body, headers, secret });
 * console.log(event.type); // "movement.voided"
 */
export async function signWebhook(options: SignWebhookOptions): Promise<Record<string, string>> {
  const { body, secret, timestamp = new Date() } = options;
  const id = options.id ?? idIn(body) ?? anId();
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signatures = await signaturesOf({ id, timestamp: seconds, body: bytes }, [secret].flat());
  return {
    'content-type': 'application/json',
    'user-agent': 'Centavo-Webhooks/1',
    [webhookHeaderNames.id]: id,
    [webhookHeaderNames.timestamp]: seconds,
    [webhookHeaderNames.signature]: signatures.join(' '),
  };
}

function idIn(body: string | Uint8Array): string | undefined {
  try {
    const id: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))?.data?.id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The properties of an event. Properties of `data` that you do not set have default values. */
export interface WebhookEventFields {
  readonly type?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly data?: Partial<WebhookEvent['data']> | undefined;
}

/**
 * Returns the body of a webhook as an object, before `JSON.stringify`. By default it is a `movement.created` event in which
 * `change` and `record` are null, as the server sends it to an endpoint with `payload: 'reference'`.
 * @example
 * import { aWebhookEvent } from '@centavo/sdk/testing';
 *
 * const event = aWebhookEvent({ type: 'account.updated', data: { change: { name: ['Cash', 'Wallet'] } } });
 * console.log(event.data.sequence); // 1
 */
export function aWebhookEvent({ type, timestamp, data }: WebhookEventFields = {}): WebhookEvent {
  const usualType = 'movement.created';
  return {
    type: type ?? usualType,
    timestamp: timestamp ?? sharedMoment,
    data: {
      sequence: 1,
      id: anId(),
      trackerId: sharedTrackerId,
      resource: { type: (type ?? usualType).split('.')[0] ?? '', id: anId() },
      actor: { type: 'integration_client', id: sharedClientId },
      requestId: anId(),
      hash: '0'.repeat(64),
      change: null,
      record: null,
      ...data,
    },
  };
}
