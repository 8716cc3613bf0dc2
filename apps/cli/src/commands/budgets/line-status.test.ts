import { expect, it } from 'vitest';
import { describeLineStatus } from './line-status.js';

const budget = (status: 'upcoming' | 'active' | 'closed', daysElapsed = 10) => ({
  currencyCode: 'EUR',
  status,
  progress: { daysTotal: 30, daysElapsed, elapsedRatio: '0.3333', expenseRatio: null },
});

it.each([
  ['expense', 100n, 0n, 'active', '1.00 left', false],
  ['expense', 300n, 100n, 'active', '2.00 left', false],
  ['expense', 300n, 101n, 'active', '1.99 left, over pace', false],
  ['expense', 300n, 101n, 'closed', '1.99 left', false],
  ['expense', 300n, 300n, 'active', 'all spent', false],
  ['expense', 300n, 301n, 'active', '0.01 over', true],
  ['expense', 0n, 1n, 'closed', '0.01 over', true],
  ['expense', 0n, 0n, 'active', '', false],
  ['income', 300n, 100n, 'active', '2.00 to come', false],
  ['income', 300n, 100n, 'closed', '2.00 missing', false],
  ['income', 300n, 300n, 'active', 'all received', false],
  ['income', 300n, 400n, 'active', '1.00 more', false],
  ['expense', 300n, null, 'active', '', false],
] as const)(
  'describeLineStatus describes an %s line with %d cents planned and %s cents actual in a budget that is %s: "%s"',
  (type, planned, actual, status, text, isOver) => {
    expect(describeLineStatus({ type, planned, actual }, budget(status))).toEqual({ text, isOver });
  },
);
