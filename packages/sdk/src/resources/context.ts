import type { Context } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * The principal of the token, and the tracker in which its requests act.
 * @source docs/financial-integration-api.md, Context and trackers
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
   * Returns the tracker in which requests act, the rule by which the server chose it (`resolvedBy`), and the principal of the token.
   * @throws PermissionError TRACKER_FORBIDDEN if this credential may not use the tracker
   * @example const { activeTrackerId, principal } = await client.context.get();
   */
  get(options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.getContext, options }));
  }

  /**
   * Stores the active tracker. The server uses it for requests that name no tracker. Clients with the option `trackerId`
   * are not affected. With an API key of kind `secure` that may use several trackers, each request must still name a tracker.
   * @example await client.context.setActiveTracker(trackerId);
   */
  setActiveTracker(trackerId: string, options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.setActiveTracker, body: { trackerId }, options }));
  }

  /**
   * Stores the default tracker. The server uses it for requests that name no tracker, if no tracker is active.
   * With an API key of kind `secure` that may use several trackers, each request must still name a tracker.
   * @example await client.context.setDefaultTracker(trackerId);
   */
  setDefaultTracker(trackerId: string, options?: CallOptions): ApiPromise<Context> {
    return new ApiPromise(this.#send<Context>({ call: calls.setDefaultTracker, body: { trackerId }, options }));
  }
}
