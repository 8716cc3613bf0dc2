import type { CreateTransferInput } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { CallOptions } from '../call-options.js';
import type { Transfer } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';

/**
 * Transfers: one atomic operation, two movements.
 * @source specification, Movements and transfers
 * @example
 * const { groupId } = await client.transfers.create({ amountDecimal: '50.00', fromAccountId, toAccountId });
 * console.log((await client.transfers.get(groupId)).movements.map(({ type }) => type)); // ['expense', 'income']
 */
export class TransfersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Moves money between two cashboxes: both movements are recorded or none, once under the idempotency key.
   * @throws OutcomeUnknownError if no answer came; repeat with its `idempotencyKey`
   * @example await client.transfers.create({ amountDecimal: '50.00', fromAccountId, toAccountId });
   */
  create(input: CreateTransferInput, options?: CallOptions): ApiPromise<Transfer> {
    return new ApiPromise(this.#send<Transfer>({ call: calls.createTransfer, body: input, options }));
  }

  /**
   * A transfer with its two movements, the outgoing one first.
   * @throws NotFoundError if it is not in the tracker
   * @example const { from, to } = await client.transfers.get(groupId);
   */
  get(groupId: string, options?: CallOptions): ApiPromise<Transfer> {
    return new ApiPromise(this.#send<Transfer>({ call: calls.getTransfer, pathParameters: { groupId }, options }));
  }
}
