/** A request as it will stand on the wire, before it is written; nothing in it has to be right. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}
