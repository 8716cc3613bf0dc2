import { describe, expect, it } from 'vitest';
import { isProven, type ProofReport, renderProof } from '../../../tools/render-proof.mjs';

const chaos = {
  id: 'T2',
  promise: 'Every write is done once',
  seed: 41,
  injected: { writes: 150_000, terminatedBackends: 3_000, answered500: 0 },
  violations: { lost: 0, duplicated: 0 },
};
const report: ProofReport = {
  startedAt: '2026-03-01T12:00:00.000Z',
  minutes: 51,
  machine: { processor: 'A processor', cores: 2, memoryGb: 8, system: 'linux x64', node: '20.20.2' },
  records: [{ ...chaos, id: 'T10', seed: null }, chaos],
  unfinished: [],
};
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| T'));

describe('the page of proofs', () => {
  it('tells of each promise what was injected and found, in the order of the plan', () => {
    expect(rowsOf(renderProof(report))).toEqual([
      '| T2 | Every write is done once | writes 150,000; terminated backends 3,000; answered 500 0 |  | 0 | 41 |',
      '| T10 | Every write is done once | writes 150,000; terminated backends 3,000; answered 500 0 |  | 0 | none: nothing is random |',
    ]);
  });

  it('tells what was measured beside what was injected, and never counts it as a violation', () => {
    const measured = { p99Ms: 1_234.5, answersBefore: '12 of 12' };
    const page = renderProof({ ...report, records: [{ ...chaos, measured }] });
    expect(rowsOf(page)[0]).toContain('answered 500 0 | p99 ms 1,234.5; answers before 12 of 12 | 0 | 41 |');
    expect(page).toContain('| id | promise | injected | measured | violations | seed |');
    expect(page).toContain('**1 promises, 0 violations.**');
    expect(isProven({ ...report, records: [{ ...chaos, measured }] })).toBe(true);
  });

  it('tells when it was, on what machine, and what came of it all', () => {
    const page = renderProof(report).replaceAll('\n', ' ');
    expect(page).toContain('This run began on 2026-03-01, took 51 minutes, and had A processor with 2 cores and 8 GB');
    expect(page).toContain('**2 promises, 0 violations.**');
    expect(isProven(report)).toBe(true);
  });

  it('shows a violation, and by name those that were seen alone', () => {
    const failed = { ...report, records: [{ ...chaos, violations: { lost: 0, duplicated: 2 } }] };
    expect(rowsOf(renderProof(failed))[0]).toContain('| **duplicated 2** |');
    expect(renderProof(failed)).toContain('**1 promises, 2 violations.**');
    expect(isProven(failed)).toBe(false);
  });

  it('does not hide a proof that did not come to its end', () => {
    const stopped = { ...report, unfinished: [{ file: 'bank.test.ts', reason: 'stopped after its 5 minutes' }] };
    expect(renderProof(stopped)).toContain('1 proofs did not come to their end.');
    expect(renderProof(stopped)).toContain('- `bank.test.ts`: stopped after its 5 minutes');
    expect(isProven(stopped)).toBe(false);
  });

  it('keeps its table whole, whatever a promise says', () => {
    const odd = { ...report, records: [{ ...chaos, promise: 'this | that' }] };
    expect(rowsOf(renderProof(odd))[0]).toContain('this \\| that');
  });
});
