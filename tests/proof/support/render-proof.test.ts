import { describe, expect, it } from 'vitest';
import { amendProof } from '../../../tools/amend-proof.mjs';
import { isProven, type ProofReport, renderProof } from '../../../tools/render-proof.mjs';

const chaos = {
  file: 'chaos.test.ts',
  startedAt: '2026-03-01T12:31:00.000Z',
  commit: 'ed963af',
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
  records: [{ ...chaos, id: 'T10b', seed: null }, chaos],
  unfinished: [],
};
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| T'));

describe('the page of proofs', () => {
  it('prints a row for each promise with its counts and violations, in the order of their ids (T2 before T10b)', () => {
    expect(rowsOf(renderProof(report))).toEqual([
      '| T2 | Every write is done once | chaos | writes: 150,000; terminated backends: 3,000; answered 500: 0 |  | 0 | 2026-03-01 12:31 at ed963af, 20.5 min | 41 |',
      '| T10b | Every write is done once | chaos | writes: 150,000; terminated backends: 3,000; answered 500: 0 |  | 0 | 2026-03-01 12:31 at ed963af, 20.5 min | none |',
    ]);
  });

  it('prints measured values beside the counts, and never counts them as violations', () => {
    const measured = { p99Ms: 1_234.5, answersBefore: '12 of 12' };
    const page = renderProof({ ...report, records: [{ ...chaos, measured }] });
    expect(rowsOf(page)[0]).toContain(
      'answered 500: 0 | p99 ms: 1,234.5; answers before: 12 of 12 | 0 | 2026-03-01 12:31 at ed963af, 20.5 min | 41 |',
    );
    expect(page).toContain('| id | promise | file | observed | measured | violations | run | seed |');
    expect(page).toContain('**1 promise, 0 violations.**');
    expect(isProven({ ...report, records: [{ ...chaos, measured }] })).toBe(true);
  });

  it('prints the date, the machine and the totals of the run', () => {
    const page = renderProof(report).replaceAll('\n', ' ');
    expect(page).toContain('It ran on A processor with 2 cores and 8 GB, linux x64, Node 20.20.2;');
    expect(page).toContain('The last full run started on 2026-03-01 and took 51 minutes.');
    expect(page).toContain('**2 promises, 0 violations.**');
    expect(isProven(report)).toBe(true);
  });

  it('prints the number of each violation that occurred', () => {
    const failed = { ...report, records: [{ ...chaos, violations: { lost: 0, duplicated: 2 } }] };
    expect(rowsOf(renderProof(failed))[0]).toContain('| **duplicated: 2** |');
    expect(renderProof(failed)).toContain('**1 promise, 2 violations.**');
    expect(isProven(failed)).toBe(false);
  });

  it('lists unfinished proofs, and distinguishes failed from stopped proofs', () => {
    const unfinished = [
      { file: 'bank.test.ts', reason: 'stopped after its 5 minutes' },
      { file: 'id-swap.test.ts', reason: 'failed; its output has the reason' },
      { file: 'limiter.test.ts', reason: 'stopped after its 2 minutes' },
      { file: 'soak.test.ts', reason: 'recorded nothing; was it skipped?' },
    ];
    const page = renderProof({ ...report, unfinished });
    expect(page).toContain('**2 promises, 0 violations, 1 proof failed, 1 proof proved nothing, 2 proofs stopped.**\n');
    expect(page).toContain('- `bank.test.ts`: stopped after its 5 minutes');
    expect(isProven({ ...report, unfinished })).toBe(false);
  });

  it('marks the rows of an unfinished proof as "partly"; counts the violations that it found, but none of its promises as proven', () => {
    const bank = { ...chaos, file: 'bank.test.ts', id: 'T5', violations: { lost: 1 } };
    const unfinished = [{ file: 'bank.test.ts', reason: 'failed; its output has the reason' }];
    const page = renderProof({ ...report, records: [bank, chaos], unfinished });
    expect(rowsOf(page)[0]).toContain('| 2026-03-01 12:31 at ed963af, 20.5 min | 41 |');
    expect(rowsOf(page)[1]).toContain('| bank | writes:');
    expect(rowsOf(page)[1]).toContain('| **lost: 1** | 2026-03-01 12:31 at ed963af, 20.5 min, partly | 41 |');
    expect(page).toContain(
      '**1 promise, 1 violation, 1 proof failed.** Rows marked `partly` belong to a proof that did not finish.',
    );
  });

  it('marks the rows of a short run as "short form"', () => {
    const page = renderProof({ ...report, records: [{ ...chaos, isShort: true }] });
    expect(rowsOf(page)[0]).toContain('| 2026-03-01 12:31 at ed963af, 20.5 min, short form | 41 |');
  });

  it('omits the commit if git did not report it', () => {
    const page = renderProof({ ...report, records: [{ ...chaos, commit: null }] });
    expect(rowsOf(page)[0]).toContain('| 2026-03-01 12:31, 20.5 min | 41 |');
  });

  it('explains how to find the test of a row', () => {
    expect(renderProof(report)).toContain('The column *file* has the name without `.test.ts`.');
  });

  it('prints "less than a minute" instead of 0 minutes', () => {
    const brief = renderProof({ ...report, minutes: 0, records: [{ ...chaos, minutes: 0.4 }] });
    expect(rowsOf(brief)[0]).toContain('| 2026-03-01 12:31 at ed963af, less than a minute | 41 |');
    expect(brief).toContain('and took less than a minute.');
    expect(renderProof({ ...report, minutes: 1 })).toContain('and took 1 minute.');
  });

  it('escapes the separator of table columns in the text of a promise', () => {
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

  it('replaces its earlier records, and keeps the records of other proofs', () => {
    const amended = amendProof(failed, again);
    expect(amended.records).toEqual([chaos, bank]);
    expect(isProven(amended)).toBe(true);
    expect(amended.startedAt).toBe(failed.startedAt);
  });

  it('is reported as unfinished, without its earlier records, if the new run did not end', () => {
    const amended = amendProof({ ...failed, unfinished: [] }, { ...again, records: [], unfinished: [stopped] });
    expect(amended).toMatchObject({ records: [chaos], unfinished: [stopped] });
    expect(isProven(amended)).toBe(false);
  });

  it('is the whole report if no earlier report exists', () => {
    expect(amendProof(null, again)).toBe(again);
  });
});
