import type {
  AddMemberInput,
  ChangeMemberRoleInput,
  CreateTrackerInput,
  Member,
  Preview,
  Tracker,
  UpdateTrackerInput,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Trackers and their members. All methods except for `list` require a user session. No method takes an idempotency key. So if
 * the response to a write is lost, the client does not retry, and the call rejects with OutcomeUnknownError.
 * @source docs/contract.md, section 9
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
   * Lists the trackers in which the credential of this client may act.
   * @example for await (const tracker of client.trackers.list()) console.log(tracker.name, tracker.role);
   */
  list(options?: CallOptions): ListPromise<Tracker> {
    return sendList<Tracker>(this.#send, { call: calls.listTrackers, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateTrackerInput, options: PreviewOptions): ApiPromise<Preview<Tracker>>;
  /**
   * Creates a tracker. The caller becomes its owner.
   * @throws StateConflictError (reason `limit_reached`) if the caller owns 200 trackers
   * @example await client.trackers.create({ name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' });
   */
  create(input: CreateTrackerInput, options?: CallOptions): ApiPromise<Tracker>;
  create(input: CreateTrackerInput, options?: CallOptions | PreviewOptions): ApiPromise<Tracker> {
    return new ApiPromise(this.#send<Tracker>({ call: calls.createTracker, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  update(trackerId: string, patch: UpdateTrackerInput, options: PreviewOptions): ApiPromise<Preview<Tracker>>;
  /**
   * Changes the name or the time zone of a tracker.
   * @example await client.trackers.update(trackerId, { name: 'Household' });
   */
  update(trackerId: string, patch: UpdateTrackerInput, options?: CallOptions): ApiPromise<Tracker>;
  update(trackerId: string, patch: UpdateTrackerInput, options?: CallOptions | PreviewOptions): ApiPromise<Tracker> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<Tracker>({ call: calls.updateTracker, pathParameters, body: patch, options }));
  }

  /**
   * Lists the members of a tracker and the invited users. `status` distinguishes them.
   * @example const { data: members } = await client.trackers.listMembers(trackerId);
   */
  listMembers(trackerId: string, options?: CallOptions): ListPromise<Member> {
    return sendList<Member>(this.#send, { call: calls.listMembers, pathParameters: { trackerId }, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  addMember(trackerId: string, input: AddMemberInput, options: PreviewOptions): ApiPromise<Preview<Member>>;
  /**
   * Invites a user. The user becomes a member after accepting with `client.invitations.accept`. The server does not verify e-mail
   * addresses: check `displayName` and `registeredAt` in the response to make sure that you invited the right user.
   * @throws NotFoundError if no user has that e-mail address
   * @throws StateConflictError if the user is a member or already invited (reason `already_member`), or has the maximum number of open
   *   invitations (reason `limit_reached`)
   * @example await client.trackers.addMember(trackerId, { email: 'ana@example.com', role: 'editor' });
   */
  addMember(trackerId: string, input: AddMemberInput, options?: CallOptions): ApiPromise<Member>;
  addMember(trackerId: string, input: AddMemberInput, options?: CallOptions | PreviewOptions): ApiPromise<Member> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<Member>({ call: calls.addMember, pathParameters, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  changeMemberRole(
    trackerId: string,
    userId: string,
    input: ChangeMemberRoleInput,
    options: PreviewOptions,
  ): ApiPromise<Preview<Member>>;
  /**
   * Changes the role of a member or of an invited user.
   * @throws StateConflictError if the tracker would have no owner (reason `last_owner`), or if a member who becomes an owner already owns
   *   200 trackers (reason `limit_reached`)
   * @example await client.trackers.changeMemberRole(trackerId, userId, { role: 'viewer' });
   */
  changeMemberRole(
    trackerId: string,
    userId: string,
    input: ChangeMemberRoleInput,
    options?: CallOptions,
  ): ApiPromise<Member>;
  changeMemberRole(
    trackerId: string,
    userId: string,
    input: ChangeMemberRoleInput,
    options?: CallOptions | PreviewOptions,
  ): ApiPromise<Member> {
    const pathParameters = { trackerId, userId };
    return new ApiPromise(this.#send<Member>({ call: calls.changeMemberRole, pathParameters, body: input, options }));
  }

  /**
   * Removes a member or withdraws an invitation. Members may remove themselves.
   * @throws StateConflictError (reason `last_owner`) if the tracker would have no owner
   * @example await client.trackers.removeMember(trackerId, userId);
   */
  removeMember(trackerId: string, userId: string, options?: CallOptions): ApiPromise<void> {
    const pathParameters = { trackerId, userId };
    return new ApiPromise(this.#send<void>({ call: calls.removeMember, pathParameters, options }));
  }
}
