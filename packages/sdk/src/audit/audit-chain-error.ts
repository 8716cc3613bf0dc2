import type { ChainFault } from '@centavo/contracts/calls';
import { brandErrors, hasErrorBrand } from '../errors/error-brand.js';
import { FinancialError } from '../errors/financial-error.js';

/**
 * The error for an event that does not follow from the events before it. The values of `reason`:
 * - `sequence`: the number of the event is not the next number.
 * - `hash`: the event, its hash or an earlier event was changed.
 * - `change`: the `change` and `salt` of the event do not match its digest.
 * @example
 * import { isAuditChainError, verifyAuditChain } from '@centavo/sdk';
 *
 * const { data: events } = await client.auditEvents.list({ order: 'asc' });
 * const edited = events.map((event) => ({ ...event, type: 'movement.voided' }));
 * try {
 *   await verifyAuditChain(edited, { trackerId });
 * } catch (error) {
 *   if (!isAuditChainError(error)) throw error;
 *   console.error(`The history was changed at or before event ${error.sequence}`);
 * }
 */
export class AuditChainError extends FinancialError {
  static {
    brandErrors(AuditChainError, 'AuditChainError');
  }

  /** The number of the first event that does not follow from the events before it. `eventId` is the id of this event. */
  readonly sequence: number;
  readonly eventId: string;
  readonly reason: ChainFault;

  constructor(fault: { readonly sequence: number; readonly eventId: string; readonly reason: ChainFault }) {
    super(
      `Event ${fault.sequence} (${fault.eventId}) does not follow from the events before it: ${texts[fault.reason]}`,
    );
    this.sequence = fault.sequence;
    this.eventId = fault.eventId;
    this.reason = fault.reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), sequence: this.sequence, eventId: this.eventId, reason: this.reason };
  }
}

const texts: Readonly<Record<ChainFault, string>> = {
  sequence: 'its number is not the next one',
  hash: 'its fields, its hash or an earlier event was changed',
  change: 'its change does not match its digest',
};

export function isAuditChainError(value: unknown): value is AuditChainError {
  return hasErrorBrand(value, 'AuditChainError');
}
