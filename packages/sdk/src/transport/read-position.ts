import { headerNames, logPositionPattern } from '@centavo/contracts/calls';

/**
 * The furthest position in the server's log that an answer returned in `Centavo-Read-After`. A replica that answers a read
 * of this client must have reached it, so that the read finds the client's writes. All clients made by `forTracker` share one.
 */
export class ReadPosition {
  /** As the server returned it; null if it never returned one. */
  latest: string | null = null;

  /** Stores the position of an answer if it is further than all earlier ones: answers may arrive in any order. */
  update(headers: Headers): void {
    const position = headers.get(headerNames.readAfter);
    if (numberOf(position) > numberOf(this.latest)) this.latest = position;
  }
}

/** Returns the position as a number; -1 if it is malformed or absent. */
function numberOf(position: string | null): bigint {
  const [, high, low] = logPositionPattern.exec(position ?? '') ?? [];
  return low === undefined ? -1n : BigInt(`0x${high}${low.padStart(8, '0')}`);
}
