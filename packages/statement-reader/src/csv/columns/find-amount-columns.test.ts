import { expect, it } from 'vitest';
import { findAmountColumns } from './find-amount-columns.js';

const columns = (table: Readonly<Record<string, readonly string[]>>) =>
  findAmountColumns(Object.entries(table).map(([header, cells]) => ({ header, cells })));

it('findAmountColumns returns the only column of numbers as the amount, unless one of its cells is empty', () => {
  expect(columns({ a: ['-1.00', '2.00'] })).toEqual({ amount: 'a' });
  expect(columns({ a: ['-1.00', ''] })).toEqual({});
});

it('findAmountColumns finds the amount column if another column is its running sum, with the oldest row first or last', () => {
  expect(columns({ a: ['10.00', '9.00', '12.50'], b: ['0.50', '-1.00', '3.50'] })).toEqual({ amount: 'b' });
  expect(columns({ a: ['3.50', '-1.00', '0.50'], b: ['12.50', '9.00', '10.00'] })).toEqual({ amount: 'a' });
});

it('findAmountColumns does not return a column as the amount if all its cells are zero, such as an unused quantity column', () => {
  expect(columns({ quantity: ['0.00', '0.00'] })).toEqual({});
  expect(columns({ amount: ['0.00', '5.00'] })).toEqual({ amount: 'amount' });
});

it('findAmountColumns finds no amount in two columns if neither is the running sum of the other, or if there are only two rows', () => {
  expect(columns({ a: ['10.00', '9.00', '12.00'], b: ['0.50', '-1.00', '3.50'] })).toEqual({});
  expect(columns({ a: ['10.00', '9.00'], b: ['0.50', '-1.00'] })).toEqual({});
  expect(columns({ a: ['1.00', ''], b: ['', '2.00'] })).toEqual({});
});

it('findAmountColumns distinguishes debit from credit by the balance column, not by the order of the columns', () => {
  const balance = ['9.00', '11.00', '8.00'];
  expect(columns({ a: ['1.00', '', '3.00'], b: ['', '2.00', ''], balance })).toEqual({ debit: 'a', credit: 'b' });
  expect(columns({ a: ['', '2.00', '0.00'], b: ['1.00', '', '3.00'], balance })).toEqual({ debit: 'b', credit: 'a' });
});

it('findAmountColumns finds the amount if another column is the balance before each row and at least one amount has a minus sign', () => {
  const [balances, amounts] = [
    ['10.00', '10.50', '9.50', '13.00'],
    ['0.50', '-1.00', '3.50', '2.00'],
  ];
  expect(columns({ a: balances, b: amounts })).toEqual({ amount: 'b' });
  expect(columns({ a: balances.toReversed(), b: amounts.toReversed() })).toEqual({ amount: 'b' });
  expect(columns({ a: ['10.00', '11.00', '13.00'], b: ['1.00', '2.00', '4.00'] })).toEqual({});
});

it('findAmountColumns finds debit and credit in two columns even if all debits have a minus sign', () => {
  const table = { a: ['-2.00', '', '-1.00'], b: ['', '5.00', ''], c: ['8.00', '13.00', '12.00'] };
  expect(columns(table)).toEqual({ debit: 'a', credit: 'b' });
});

it('findAmountColumns finds amounts without signs if a balance column rises or falls by them in at least four rows', () => {
  const table = { a: ['845.20', '63.47', '2450.20', '5.15'], b: ['2274.80', '2211.33', '4661.53', '4656.38'] };
  expect(columns(table)).toEqual({ amount: 'a' });
  const reversed = Object.fromEntries(Object.entries(table).map(([header, cells]) => [header, cells.toReversed()]));
  expect(columns(reversed)).toEqual({ amount: 'a' });
  const short = Object.fromEntries(Object.entries(table).map(([header, cells]) => [header, cells.slice(1)]));
  expect(columns(short)).toEqual({});
  expect(columns({ ...table, b: ['2274.80', '2211.33', '4661.53', '4656.39'] })).toEqual({});
});

it('findAmountColumns needs a balance column if the numbers may be those of accounts or cheques', () => {
  const cells = { a: ['-84521', '-6348', '245021'], b: ['227479', '221131', '466152'] };
  const [a, b] = Object.entries(cells).map(([header, column]) => ({ header, cells: column }));
  if (a === undefined || b === undefined) throw new Error('two columns');
  expect(findAmountColumns([a, b], true)).toEqual({ amount: 'a' });
  expect(findAmountColumns([a], true)).toEqual({});
});

it('findAmountColumns does not accept zeros as the changes of a column that never changes, such as that of the account', () => {
  expect(columns({ account: ['7654', '7654', '7654'], fee: ['0', '0', '0'], a: ['1200', '850', '4300'] })).toEqual({});
});

it('findAmountColumns does not read a net and a gross amount as balances if it needs a balance column', () => {
  const table = { net: ['-50000', '-900'], fee: ['-1100', '-50'], gross: ['-51100', '-950'] };
  const numbers = Object.entries(table).map(([header, column]) => ({ header, cells: column }));
  expect(findAmountColumns(numbers, true)).toEqual({});
});
