import { expect, it } from 'vitest';
import { findAmountColumns } from './detect-columns.js';

const columns = (table: Readonly<Record<string, readonly string[]>>) =>
  findAmountColumns(Object.entries(table).map(([header, cells]) => ({ header, cells })));

it('the only column of numbers moves money, unless some of its cells are empty', () => {
  expect(columns({ a: ['-1.00', '2.00'] })).toEqual({ amount: 'a' });
  expect(columns({ a: ['-1.00', ''] })).toEqual({});
});

it('of two columns the one moves that the other follows, down the file or up', () => {
  expect(columns({ a: ['10.00', '9.00', '12.50'], b: ['0.50', '-1.00', '3.50'] })).toEqual({ amount: 'b' });
  expect(columns({ a: ['3.50', '-1.00', '0.50'], b: ['12.50', '9.00', '10.00'] })).toEqual({ amount: 'a' });
});

it('nothing is said where no balance follows, or only two rows do', () => {
  expect(columns({ a: ['10.00', '9.00', '12.00'], b: ['0.50', '-1.00', '3.50'] })).toEqual({});
  expect(columns({ a: ['10.00', '9.00'], b: ['0.50', '-1.00'] })).toEqual({});
  expect(columns({ a: ['1.00', ''], b: ['', '2.00'] })).toEqual({});
});

it('debit and credit are told by a balance, and never by their order', () => {
  const balance = ['9.00', '11.00', '8.00'];
  expect(columns({ a: ['1.00', '', '3.00'], b: ['', '2.00', ''], balance })).toEqual({ debit: 'a', credit: 'b' });
  expect(columns({ a: ['', '2.00', '0.00'], b: ['1.00', '', '3.00'], balance })).toEqual({ debit: 'b', credit: 'a' });
});
