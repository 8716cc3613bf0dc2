import { describe, expect, it } from 'vitest';
import { evaluateMemory } from './evaluate-memory.js';

const mb = 2 ** 20;
const noiseBytesMax = 16 * mb;
/** The variation that garbage causes in the measured memory. */
const noiseMb = [0, 12, -6, 9, -11, 3, 12, -8];

/** Returns `count` measurements, one for each thousand requests, of a server that leaks `leakBytes` in each request. */
const samplesOf = ({ leakBytes, count }: { readonly leakBytes: number; readonly count: number }) =>
  Array.from({ length: count }, (_, index) => ({
    atMs: index * 4_000,
    requests: index * 1_000,
    bytes: 170 * mb + index * 1_000 * leakBytes + (noiseMb[index % noiseMb.length] ?? 0) * mb,
  }));

describe('the memory of a server', () => {
  it('is reported as growing if each request of a long run leaks a kilobyte', () => {
    const verdict = evaluateMemory(samplesOf({ leakBytes: 1024, count: 60 }), { noiseBytesMax });
    expect(verdict.isGrowing).toBe(true);
    expect(verdict.bytesPerRequest).toBeGreaterThan(verdict.detectableBytesPerRequest);
    expect(verdict.mbPerMinute).toBeGreaterThan(13);
    expect(verdict.grownMb).toBeGreaterThan(35);
  });

  it('is not reported as growing if it varies without a trend, or if the growth may be noise', () => {
    expect(evaluateMemory(samplesOf({ leakBytes: 0, count: 60 }), { noiseBytesMax }).isGrowing).toBe(false);
    expect(evaluateMemory(samplesOf({ leakBytes: 200, count: 60 }), { noiseBytesMax }).isGrowing).toBe(false);
  });

  it('is not reported as growing if the run is too short to detect the leak', () => {
    const long = evaluateMemory(samplesOf({ leakBytes: 1024, count: 60 }), { noiseBytesMax });
    const short = evaluateMemory(samplesOf({ leakBytes: 1024, count: 12 }), { noiseBytesMax });
    expect(short.isGrowing).toBe(false);
    expect(long.detectableBytesPerRequest).toBeLessThan(1024);
    expect(short.detectableBytesPerRequest).toBeGreaterThan(1024);
  });
});
