import { describe, expect, it } from 'vitest';
import { parsePgbenchLog, parsePgbenchSummary } from './parse-pgbench.js';

const summary = `pgbench (15.18, server 18.4)
transaction type: W1.sql
scaling factor: 1
query mode: prepared
number of clients: 16
number of threads: 1
maximum number of tries: 1
duration: 5 s
number of transactions actually processed: 22535
number of failed transactions: 3 (0.013%)
latency average = 3.549 ms
initial connection time = 51.301 ms
tps = 4507.713824 (without initial connection time)
`;

describe('the summary of pgbench', () => {
  it('has the rate without the connection time, and the number of failed transactions', () => {
    expect(parsePgbenchSummary(summary)).toEqual({ perSecond: 4507.713824, failed: 3 });
  });

  it.each(['tps = 4507.713824 (without initial connection time)', 'number of failed transactions: 3 (0.013%)'])(
    'is rejected without the line "%s"',
    (line) => {
      expect(() => parsePgbenchSummary(summary.replace(line, ''))).toThrow('not a summary of pgbench');
    },
  );
});

describe('the log of pgbench', () => {
  it('has the duration of each transaction, in microseconds', () => {
    expect(parsePgbenchLog('0 1 3512 0 1767225600 51301\n15 1 10411 0 1767225600 58200\n')).toEqual([3512, 10411]);
  });

  it('yields no durations if it is empty', () => {
    expect(parsePgbenchLog('')).toEqual([]);
  });

  it('is rejected if it contains a failed transaction, which has no duration', () => {
    expect(() => parsePgbenchLog('0 1 failed 0 1767225600 51301\n')).toThrow('not a line of pgbench');
  });
});
