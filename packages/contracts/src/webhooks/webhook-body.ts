/**
 * The maximum size of the body of a delivery, in bytes.
 * @source docs/webhooks.md, "The request"
 */
export const webhookBodyBytesMax = 20_000;

/** The event from which the body of a delivery is created. The fields are the same as in the response of GET /changes. */
export interface WebhookSource {
  /** Null in a test delivery. */
  readonly sequence: number | null;
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly requestId: string;
  /** The hash of the event in the hash chain of its tracker, in hexadecimal. Null in a test delivery. */
  readonly hash: string | null;
  readonly change: object | null;
  readonly record: object | null;
}

/** The parsed body of a delivery. */
export interface WebhookEvent {
  readonly type: string;
  /** When the event occurred. */
  readonly timestamp: string;
  readonly data: {
    readonly sequence: number | null;
    readonly id: string;
    readonly trackerId: string;
    readonly resource: { readonly type: string; readonly id: string };
    readonly actor: { readonly type: string; readonly id: string | null };
    readonly requestId: string;
    readonly hash: string | null;
    readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null;
    readonly record: Readonly<Record<string, unknown>> | null;
  };
}

/**
 * Returns the body of a delivery: at most 20,000 bytes. With `payload: 'reference'`, change and record are null. If the body
 * would be too long, the record is null. If it would still be too long, the change is null too.
 * @source docs/webhooks.md, "The request"
 */
export function toWebhookBody(
  event: WebhookSource,
  { trackerId, payload }: { readonly trackerId: string; readonly payload: 'reference' | 'record' },
): string {
  const { sequence, id, type, occurredAt, requestId, hash } = event;
  const resource = { type: event.resource.type, id: event.resource.id };
  const actor = { type: event.actor.type, id: event.actor.id };
  const write = (change: object | null, record: object | null) => {
    const data = { sequence, id, trackerId, resource, actor, requestId, hash, change, record };
    return JSON.stringify({ type, timestamp: occurredAt, data });
  };
  if (payload === 'reference') return write(null, null);
  const candidates = [write(event.change, event.record), write(event.change, null)];
  return candidates.find((body) => utf8Length(body) <= webhookBodyBytesMax) ?? write(null, null);
}

/** Returns the number of UTF-8 bytes of a text without lone surrogates. JSON text has none, because `JSON.stringify` escapes them. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}
