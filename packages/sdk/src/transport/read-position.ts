import { headerNames, logPositionPattern } from '@centavo/contracts/calls';

/**
 * The furthest position that a response has returned in the header `Centavo-Read-After`: a position in the database's write-ahead log.
 * A replica that serves a read of this client must have reached this position, so that the read finds the client's writes. A client
 * shares its position with all clients that `forTracker` creates from it.
 */
export class ReadPosition {
  /** The position as the server returned it; null if the server never returned a position. */
  latest: string | null = null;

  /** Stores the position of a response if it is further than all earlier positions. Responses may arrive in any order. */
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
