import { headerNames, logPositionPattern } from '@centavo/contracts/calls';

/**
 * How far a server that has replicas must have seen, so that what this client wrote is found by its reads: the furthest place
 * that an answer told. All clients made by `forTracker` share one.
 */
export class ReadPosition {
  /** As it was told; null where the server never told one. */
  told: string | null = null;

  /** Keeps what an answer tells, if it is further than all before: answers overtake each other. */
  note(headers: Headers): void {
    const told = headers.get(headerNames.readAfter);
    if (numberOf(told) > numberOf(this.told)) this.told = told;
  }
}

/** The place as a number; one before all others for what is no place. */
function numberOf(place: string | null): bigint {
  const [, high, low] = logPositionPattern.exec(place ?? '') ?? [];
  return low === undefined ? -1n : BigInt(`0x${high}${low.padStart(8, '0')}`);
}
