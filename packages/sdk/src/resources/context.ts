import type { Context } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Who is calling, and in which tracker.
 * @source specification, Context and trackers
 * @example
 * const { principal, activeTrackerId } = await client.context.get();
 * console.log(principal.name, principal.scopes, activeTrackerId);
 */
export class ContextResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The tracker that requests act in, how it was found, and the principal behind the token.
   * @throws PermissionError TRACKER_FORBIDDEN if the tracker asked for is not, or no longer, the caller's
   * @example const { activeTrackerId, principal } = await client.context.get();
   */
  get(options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.getContext, options }));
  }

  /**
   * Stores the tracker that requests without a tracker act in. A client bound by `trackerId` is not affected.
   * @example await client.context.setActiveTracker(trackerId);
   */
  setActiveTracker(trackerId: string, options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.setActiveTracker, body: { trackerId }, options }));
  }

  /**
   * Stores the tracker that is used where none is active.
   * @example await client.context.setDefaultTracker(trackerId);
   */
  setDefaultTracker(trackerId: string, options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.setDefaultTracker, body: { trackerId }, options }));
  }
}
