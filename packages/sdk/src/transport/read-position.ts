import { headerNames, logPositionPattern } from '@centavo/contracts/calls';

/**
 * How far a server that has replicas must have seen, so that what this client wrote is found by its reads: the furthest place
 * that an answer told. All clients made by `forTracker` share one.
 */
export class ReadPosition {
  /** As it was told; undefined where the server never told one. */
  told: string | undefined;
  #furthest = -1n;

  /** Keeps what an answer tells, if it is further than all before: answers overtake each other. */
  note(headers: Headers): void {
    const told = headers.get(headerNames.readAfter);
    const [, high, low] = logPositionPattern.exec(told ?? '') ?? [];
    if (told === null || high === undefined || low === undefined) return;
    const position = BigInt(`0x${high}${low.padStart(8, '0')}`);
    if (position <= this.#furthest) return;
    this.#furthest = position;
    this.told = told;
  }
}
