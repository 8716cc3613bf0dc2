import type {
  AddMemberInput,
  ChangeMemberRoleInput,
  CreateTrackerInput,
  Member,
  Tracker,
  UpdateTrackerInput,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Trackers and their members. All but `list` take a user session, and none takes an idempotency key: a create whose
 * answer is lost ends in OutcomeUnknownError and is not sent again.
 * @source contract, section 9
 * @example
 * for await (const { id, name } of client.trackers.list()) {
 *   const { data: movements } = await client.forTracker(id).movements.list({ limit: 1 });
 *   console.log(name, movements[0]?.occurredOn);
 * }
 */
export class TrackersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The trackers that this credential may act in.
   * @example for await (const tracker of client.trackers.list()) console.log(tracker.name, tracker.role);
   */
  list(options?: CallOptions): ListPromise<Tracker> {
    return sendList<Tracker>(this.#send, { call: calls.listTrackers, options });
  }

  /**
   * Makes a tracker, of which the caller becomes the owner.
   * @throws StateConflictError `limit_reached` if the caller owns 200 trackers
   * @example await client.trackers.create({ name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' });
   */
  create(input: CreateTrackerInput, options?: CallOptions): ApiPromise<Tracker> {
    return new ApiPromise(this.#send<Tracker>({ call: calls.createTracker, body: input, options }));
  }

  /**
   * Changes the name or the time zone.
   * @example await client.trackers.update(trackerId, { name: 'Household' });
   */
  update(trackerId: string, patch: UpdateTrackerInput, options?: CallOptions): ApiPromise<Tracker> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<Tracker>({ call: calls.updateTracker, pathParameters, body: patch, options }));
  }

  /**
   * Lists the members of the tracker and the users invited to it; `status` says which.
   * @example const { data: members } = await client.trackers.listMembers(trackerId);
   */
  listMembers(trackerId: string, options?: CallOptions): ListPromise<Member> {
    return sendList<Member>(this.#send, { call: calls.listMembers, pathParameters: { trackerId }, options });
  }

  /**
   * Invites a user, who becomes a member by `client.invitations.accept`. The server does not verify e-mail addresses: look at
   * `displayName` and `registeredAt` of the answer before you trust that it is the right person.
   * @throws NotFoundError if nobody has that e-mail address
   * @throws StateConflictError `already_member` or `limit_reached`
   * @example await client.trackers.addMember(trackerId, { email: 'ana@example.com', role: 'editor' });
   */
  addMember(trackerId: string, input: AddMemberInput, options?: CallOptions): ApiPromise<Member> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<Member>({ call: calls.addMember, pathParameters, body: input, options }));
  }

  /**
   * Gives a member another role, or an invited user another role to accept.
   * @throws StateConflictError `last_owner` or `limit_reached`
   * @example await client.trackers.changeMemberRole(trackerId, userId, { role: 'viewer' });
   */
  changeMemberRole(
    trackerId: string,
    userId: string,
    input: ChangeMemberRoleInput,
    options?: CallOptions,
  ): ApiPromise<Member> {
    const pathParameters = { trackerId, userId };
    return new ApiPromise(this.#send<Member>({ call: calls.changeMemberRole, pathParameters, body: input, options }));
  }

  /**
   * Removes a member, withdraws an invitation, or leaves.
   * @throws StateConflictError `last_owner`
   * @example await client.trackers.removeMember(trackerId, userId);
   */
  removeMember(trackerId: string, userId: string, options?: CallOptions): ApiPromise<void> {
    const pathParameters = { trackerId, userId };
    return new ApiPromise(this.#send<void>({ call: calls.removeMember, pathParameters, options }));
  }
}
