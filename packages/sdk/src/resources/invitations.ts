import type { Invitation, Member, Preview } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Invitations that the user of the session has received. An invitation grants no rights before it is accepted, and
 * expires after 30 days. `client.trackers.addMember` creates invitations.
 * @source docs/contract.md, section 9
 * @example
 * for await (const { trackerId, trackerName, invitedBy } of client.invitations.list()) {
 *   if (invitedBy.email === 'ana@example.com') await client.invitations.accept(trackerId);
 *   else console.log(trackerName, invitedBy.email);
 * }
 */
export class InvitationsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the open invitations of the user, the oldest first.
   * @example const { data: invitations } = await client.invitations.list();
   */
  list(options?: CallOptions): ListPromise<Invitation> {
    return sendList<Invitation>(this.#send, { call: calls.listInvitations, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  accept(trackerId: string, options: PreviewOptions): ApiPromise<Preview<Member>>;
  /**
   * Accepts an invitation. The user becomes a member of the tracker.
   * @throws NotFoundError if the user has no open invitation to this tracker
   * @throws StateConflictError (reason `limit_reached`) if the invitation is for the role `owner` and the user already owns 200 trackers
   * @example const { role } = await client.invitations.accept(trackerId);
   */
  accept(trackerId: string, options?: CallOptions): ApiPromise<Member>;
  accept(trackerId: string, options?: CallOptions | PreviewOptions): ApiPromise<Member> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<Member>({ call: calls.acceptInvitation, pathParameters, options }));
  }

  /**
   * Declines an invitation.
   * @throws NotFoundError if the user has no open invitation to this tracker
   * @example await client.invitations.decline(trackerId);
   */
  decline(trackerId: string, options?: CallOptions): ApiPromise<void> {
    const pathParameters = { trackerId };
    return new ApiPromise(this.#send<void>({ call: calls.declineInvitation, pathParameters, options }));
  }
}
