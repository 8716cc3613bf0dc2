import { describe, expect, it } from 'vitest';
import { describeBooksCheck, describeChainCheck } from './describe-check.js';

describe('describeBooksCheck', () => {
  it('returns a sentence with the numbers of balances, transfers and contradictions, and a singular noun after 1', () => {
    expect(describeBooksCheck({ cashboxCount: 1, transferCount: 1, contradictions: ['a'] })).toBe(
      'Checked 1 balance and 1 transfer: 1 contradiction.',
    );
    expect(describeBooksCheck({ cashboxCount: 2, transferCount: 0, contradictions: [] })).toBe(
      'Checked 2 balances and 0 transfers: 0 contradictions.',
    );
  });
});

describe('describeChainCheck', () => {
  it('returns a sentence with the numbers of events, trackers, records and contradictions, and a singular noun after 1', () => {
    const one = { eventCount: 1, trackerCount: 1, recordCount: 1, contradictionCount: 1, incomparableCount: 0 };
    expect(describeChainCheck(one)).toEqual(['Checked 1 event of 1 tracker and 1 record: 1 contradiction.']);
    const more = { eventCount: 7, trackerCount: 2, recordCount: 5, contradictionCount: 0, incomparableCount: 0 };
    expect(describeChainCheck(more)).toEqual(['Checked 7 events of 2 trackers and 5 records: 0 contradictions.']);
  });

  it.each([
    [
      1,
      '1 record was not compared with its last event, because this event has no digest of the record or was redacted.',
    ],
    [
      2,
      '2 records were not compared with their last events, because these events have no digest of the record or were redacted.',
    ],
  ])(
    'reports that %d of 5 records were not compared with their last events, and gives the reason',
    (incomparableCount, line) => {
      const checked = { eventCount: 9, trackerCount: 1, recordCount: 5, contradictionCount: 0, incomparableCount };
      expect(describeChainCheck(checked)[1]).toBe(line);
    },
  );
});
