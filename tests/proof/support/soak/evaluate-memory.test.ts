import { describe, expect, it } from 'vitest';
import { weighMemory } from './evaluate-memory.js';

const mb = 2 ** 20;
const strayBytesMax = 16 * mb;
/** As garbage lets it go up and down. */
const strays = [0, 12, -6, 9, -11, 3, 12, -8];

/** A server that keeps so much of each request, looked at so often, after every thousand. */
const weightsOf = ({ kept, looks }: { readonly kept: number; readonly looks: number }) =>
  Array.from({ length: looks }, (_, look) => ({
    atMs: look * 4_000,
    requests: look * 1_000,
    bytes: 170 * mb + look * 1_000 * kept + (strays[look % strays.length] ?? 0) * mb,
  }));

describe('the memory of a server', () => {
  it('is growing where a kilobyte is kept of each request of a long soak', () => {
    const verdict = weighMemory(weightsOf({ kept: 1024, looks: 60 }), { strayBytesMax });
    expect(verdict.isGrowing).toBe(true);
    expect(verdict.bytesPerRequest).toBeGreaterThan(verdict.tellableBytesPerRequest);
    expect(verdict.mbPerMinute).toBeGreaterThan(13);
    expect(verdict.grownMb).toBeGreaterThan(35);
  });

  it('is not growing if it rises and falls, or if the growth may be chance', () => {
    expect(weighMemory(weightsOf({ kept: 0, looks: 60 }), { strayBytesMax }).isGrowing).toBe(false);
    expect(weighMemory(weightsOf({ kept: 200, looks: 60 }), { strayBytesMax }).isGrowing).toBe(false);
  });

  it('depends on the requests: with fewer requests only a larger leak is detected', () => {
    const long = weighMemory(weightsOf({ kept: 1024, looks: 60 }), { strayBytesMax });
    const short = weighMemory(weightsOf({ kept: 1024, looks: 12 }), { strayBytesMax });
    expect(short.isGrowing).toBe(false);
    expect(long.tellableBytesPerRequest).toBeLessThan(1024);
    expect(short.tellableBytesPerRequest).toBeGreaterThan(1024);
  });
});
