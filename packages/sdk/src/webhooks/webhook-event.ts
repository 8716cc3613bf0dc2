/**
 * The parsed body of a webhook.
 * @source additions, section 5.2
 */
export interface WebhookEvent {
  /** Such as `movement.created`. Later versions of the server may send types that this version does not know. */
  readonly type: string;
  /** When the event occurred. */
  readonly timestamp: string;
  readonly data: {
    /** The number of the event in its tracker. Null in a test delivery. */
    readonly sequence: number | null;
    /** The id of the event, the same in every delivery of it. */
    readonly id: string;
    readonly trackerId: string;
    readonly resource: { readonly type: string; readonly id: string };
    readonly actor: { readonly type: string; readonly id: string | null };
    readonly requestId: string;
    /** The hash of the event in the chain of its tracker, hexadecimal. Null in a test delivery. */
    readonly hash: string | null;
    /** The changed fields. Null if nothing was changed, or with the payload `reference`. */
    readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null;
    /** The record, never older than the event. Null with the payload `reference`, and if the body would be too long. */
    readonly record: Readonly<Record<string, unknown>> | null;
  };
}
