import { describe, expect, it } from 'vitest';
import { amendProof } from '../../../tools/amend-proof.mjs';
import { isProven, type ProofReport, renderProof } from '../../../tools/render-proof.mjs';

const chaos = {
  file: 'chaos.test.ts',
  startedAt: '2026-03-01T12:31:00.000Z',
  minutes: 20.5,
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
  files: ['chaos.test.ts'],
  records: [{ ...chaos, id: 'T10', seed: null }, chaos],
  unfinished: [],
};
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| T'));

describe('the page of proofs', () => {
  it('tells of each promise what was injected and found, in the order of the plan', () => {
    expect(rowsOf(renderProof(report))).toEqual([
      '| T2 | Every write is done once | writes 150,000; terminated backends 3,000; answered 500 0 |  | 0 | 2026-03-01, 20.5 min | 41 |',
      '| T10 | Every write is done once | writes 150,000; terminated backends 3,000; answered 500 0 |  | 0 | 2026-03-01, 20.5 min | none: nothing is random |',
    ]);
  });

  it('tells what was measured beside what was injected, and never counts it as a violation', () => {
    const measured = { p99Ms: 1_234.5, answersBefore: '12 of 12' };
    const page = renderProof({ ...report, records: [{ ...chaos, measured }] });
    expect(rowsOf(page)[0]).toContain(
      'answered 500 0 | p99 ms 1,234.5; answers before 12 of 12 | 0 | 2026-03-01, 20.5 min | 41 |',
    );
    expect(page).toContain('| id | promise | injected | measured | violations | run | seed |');
    expect(page).toContain('**1 promises, 0 violations.**');
    expect(isProven({ ...report, records: [{ ...chaos, measured }] })).toBe(true);
  });

  it('tells when it was, on what machine, and what came of it all', () => {
    const page = renderProof(report).replaceAll('\n', ' ');
    expect(page).toContain('on A processor with 2 cores and 8 GB, linux x64, Node 20.20.2;');
    expect(page).toContain('The run began on 2026-03-01 and took 51 minutes;');
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

describe('a proof that is run again', () => {
  const bank = { ...chaos, file: 'bank.test.ts', id: 'T5' };
  const stopped = { file: 'bank.test.ts', reason: 'stopped after its 3 minutes' };
  const failed: ProofReport = {
    ...report,
    files: ['bank.test.ts', 'chaos.test.ts'],
    records: [{ ...bank, violations: { lost: 1 } }, chaos],
    unfinished: [stopped],
  };
  const again: ProofReport = { ...report, files: ['bank.test.ts'], records: [bank], unfinished: [] };

  it('takes the place of what was found before, and leaves what other proofs found', () => {
    const amended = amendProof(failed, again);
    expect(amended.records).toEqual([chaos, bank]);
    expect(isProven(amended)).toBe(true);
    expect(amended.startedAt).toBe(failed.startedAt);
  });

  it('is told as unfinished when it did not come to its end, whatever it had found before', () => {
    const amended = amendProof({ ...failed, unfinished: [] }, { ...again, records: [], unfinished: [stopped] });
    expect(amended).toMatchObject({ records: [chaos], unfinished: [stopped] });
    expect(isProven(amended)).toBe(false);
  });

  it('is a report of its own where there is none', () => {
    expect(amendProof(null, again)).toBe(again);
  });
});
