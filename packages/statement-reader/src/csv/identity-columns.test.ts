import { describe, expect, it } from 'vitest';
import { findIdentity, replaceMapping, withIdentity } from './plan/mapping.js';

const headers = ['Date', 'Amount', 'Text', 'Notes'];
const mapping = {
  headers,
  columns: { date: 'Date', amount: 'Amount', description: 'Text', currency: 'Notes' },
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  expenseWords: [],
  incomeWords: [],
};
const first = { date: 'Date', amount: 'Amount', description: 'Text' };
const other = { date: 'Date', amount: 'Amount', description: 'Notes' };

describe('the columns whose cells identify a row', () => {
  it('are taken from the saved mapping if it names no identity columns, and stay the same if the mapping is replaced', () => {
    const older = JSON.stringify(mapping);
    expect(findIdentity(older, { headers })).toEqual(first);
    const replaced = replaceMapping(older, { headers, mapping: { ...mapping, columns: other } });
    expect(findIdentity(replaced, { headers })).toEqual(first);
    expect(JSON.parse(replaced)).toMatchObject({ columns: other });
  });

  it('are unknown if a mapping was saved but no row was recorded', () => {
    expect(findIdentity(replaceMapping(undefined, { headers, mapping }), { headers })).toBeUndefined();
  });

  it('are saved beside a mapping, which stays unchanged', () => {
    const saved = withIdentity(replaceMapping(undefined, { headers, mapping }), { headers, columns: other });
    expect(JSON.parse(saved)).toMatchObject(mapping);
    expect(findIdentity(saved, { headers })).toEqual(other);
  });

  it('are stored separately for each account if the file has no headers', () => {
    const nameless = ['', ''];
    const columns = { date: 'column 1', amount: 'column 2' };
    const saved = withIdentity(undefined, { headers: nameless, account: 'Bank ', columns });
    expect(findIdentity(saved, { headers: nameless, account: 'bank' })).toEqual(columns);
    expect(findIdentity(saved, { headers: nameless, account: 'Card' })).toBeUndefined();
    const both = withIdentity(saved, {
      headers: nameless,
      account: 'Card',
      columns: { ...columns, amount: 'column 1' },
    });
    expect(findIdentity(both, { headers: nameless, account: 'Bank' })).toEqual(columns);
  });

  it.each([
    undefined,
    '',
    'null',
    '{"identities":',
    '{"identities":{"":null}}',
    '{"identities":{"":{"amount":"Amount"}}}',
    '{"identities":{"":{"date":"Date","amount":7}}}',
    '{"identities":{"":{"date":"Date","amount":"Gone"}}}',
  ])('are unknown if the saved JSON is missing or damaged, and can be saved in place of it: %s', (text) => {
    expect(findIdentity(text, { headers })).toBeUndefined();
    expect(findIdentity(withIdentity(text, { headers, columns: first }), { headers })).toEqual(first);
  });
});
