import { describe, expect, it } from 'vitest';
import { describeBooksCheck, describeChainCheck } from './describe-check.js';

describe('describeBooksCheck', () => {
  it('prints the numbers of balances, transfers and contradictions, with a singular noun after 1', () => {
    expect(describeBooksCheck({ cashboxCount: 1, transferCount: 1, contradictions: ['a'] })).toBe(
      'Checked 1 balance and 1 transfer: 1 contradiction.',
    );
    expect(describeBooksCheck({ cashboxCount: 2, transferCount: 0, contradictions: [] })).toBe(
      'Checked 2 balances and 0 transfers: 0 contradictions.',
    );
  });
});

describe('describeChainCheck', () => {
  it('prints the numbers of events, trackers, records and contradictions, with a singular noun after 1', () => {
    const one = { eventCount: 1, trackerCount: 1, recordCount: 1, contradictionCount: 1, incomparableCount: 0 };
    expect(describeChainCheck(one)).toEqual(['Checked 1 event of 1 tracker and 1 record: 1 contradiction.']);
    const more = { eventCount: 7, trackerCount: 2, recordCount: 5, contradictionCount: 0, incomparableCount: 0 };
    expect(describeChainCheck(more)).toEqual(['Checked 7 events of 2 trackers and 5 records: 0 contradictions.']);
  });

  it.each([
    [1, 'The last event of 1 record has no digest or was redacted, so this record was not compared.'],
    [2, 'The last event of 2 records has no digest or was redacted, so these records were not compared.'],
  ])('reports %d records that were not compared', (incomparableCount, line) => {
    const checked = { eventCount: 9, trackerCount: 1, recordCount: 5, contradictionCount: 0, incomparableCount };
    expect(describeChainCheck(checked)[1]).toBe(line);
  });
});
