import type { CreateTransferInput, Preview } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Transfer } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';
import { type CorrectOptions, sendAtVersion } from './movements.js';

/**
 * Transfers. A transfer consists of two movements, which the server records and voids together.
 * @source docs/financial-integration-api.md, Movements and transfers
 * @example
 * const { groupId } = await client.transfers.create({ amountDecimal: '50.00', fromAccountId, toAccountId });
 * console.log((await client.transfers.get(groupId)).movements.map(({ type }) => type)); // ['expense', 'income']
 */
export class TransfersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateTransferInput, options: PreviewOptions): ApiPromise<Preview<Transfer>>;
  /**
   * Records a transfer between two cashboxes. The server records both movements of the transfer, or neither of them. A repeated call with
   * the same idempotency key records no second transfer.
   * @throws OutcomeUnknownError if the response was lost; repeat the call with the `idempotencyKey` of the error
   * @example await client.transfers.create({ amountDecimal: '50.00', fromAccountId, toAccountId });
   */
  create(input: CreateTransferInput, options?: CallOptions): ApiPromise<Transfer>;
  create(input: CreateTransferInput, options?: CallOptions | PreviewOptions): ApiPromise<Transfer> {
    return new ApiPromise(this.#send<Transfer>({ call: calls.createTransfer, body: input, options }));
  }

  /**
   * Returns a transfer with its two movements, the outgoing movement first.
   * @throws NotFoundError if the transfer is not in the tracker
   * @example const { from, to } = await client.transfers.get(groupId);
   */
  get(groupId: string, options?: CallOptions): ApiPromise<Transfer> {
    return new ApiPromise(this.#send<Transfer>({ call: calls.getTransfer, pathParameters: { groupId }, options }));
  }

  /** Returns the result of the void as a preview, and records nothing. */
  void(groupId: string, options: CorrectOptions & PreviewOptions): ApiPromise<Preview<Transfer>>;
  /**
   * Voids both movements of a transfer if `etag` is still the current ETag of the transfer. A void cannot be undone.
   * @throws VersionConflictError if the transfer has changed; `currentEtag` is its new ETag
   * @throws UsageError if `etag` is null or empty
   * @throws StateConflictError (reason `voided`) if the transfer is already voided
   * @example
   * const { etag } = await client.transfers.get(groupId).withResponse();
   * await client.transfers.void(groupId, { etag });
   */
  void(groupId: string, options: CorrectOptions): ApiPromise<Transfer>;
  void(groupId: string, options: CorrectOptions): ApiPromise<Transfer> {
    return new ApiPromise(
      sendAtVersion<Transfer>(this.#send, { call: calls.voidTransfer, pathParameters: { groupId }, options }),
    );
  }
}
