import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { namesRefund } from './refunds.js';

it.each([
  'Amazon Refund',
  'REFUNDED: Amazon',
  'Gutschrift Zalando',
  'Rückerstattung',
  'Remboursement SNCF',
  'Payment reversal',
  'Credit',
  'CREDIT - AMAZON',
  'Statement credit',
  'Merchant credit adjustment',
  'Amazon credit',
  'Rimborso Trenitalia',
  'Devolución Zara',
])('namesRefund returns true for "%s"', (text) => {
  expect(namesRefund(text)).toBe(true);
});

it.each(['Credit Agricole', 'Credit card payment', 'Line of credit', 'Crédit Mutuel', 'Refundo', 'Lidl'])(
  'namesRefund returns false for "%s"',
  (text) => {
    expect(namesRefund(text)).toBe(false);
  },
);

describe('with --all-expenses', () => {
  const read = async (lines: readonly string[]) =>
    (await readExport(['Date,Description,Note,Amount', '2026-01-13,Lidl,,5.00', ...lines], { allExpenses: true })).rows;
  const failure = (text: string) =>
    `line 3 failure: "${text}" names a refund or a credit, but --all-expenses makes it an expense: put a minus before its amount if it is an income, or record it manually`;

  it.each([
    ['2026-01-14,Amazon Refund,,20.00', 'Amazon Refund'],
    ['2026-01-14,Amazon,Gutschrift,20.00', 'Gutschrift'],
    ['2026-01-14,Statement credit,,20.00', 'Statement credit'],
    ['2026-01-14,İade Hepsiburada,,20.00', 'İade Hepsiburada'],
    ['2026-01-14,返金 アマゾン,,20.00', '返金 アマゾン'],
    ['2026-01-14,退款 淘宝,,20.00', '退款 淘宝'],
    ['2026-01-14,Chargeback Visa dispute,,20.00', 'Chargeback Visa dispute'],
  ])('a row without a minus fails if a cell names a refund: %s', async (line, text) => {
    expect((await read([line]))[1]).toBe(failure(text));
  });

  it.each([
    'PAYMENT RECEIVED - THANK YOU',
    'AUTOPAY PAYMENT',
    'PAIEMENT RECU MERCI',
    'SU PAGO GRACIAS',
    'ZAHLUNG ERHALTEN',
    'PAGAMENTO RECEBIDO',
    'Merci pour votre paiement',
  ])('a row without a minus fails if it names a received payment: %s', async (text) => {
    expect((await read([`2026-01-14,${text},,20.00`]))[1]).toBe(
      `line 3 failure: "${text}" names a received payment, but --all-expenses makes it an expense: put a minus before its amount if it is an income, or record it manually`,
    );
    expect((await read([`2026-01-14,${text},,-20.00`]))[1]).toBe(`2026-01-14 +20 ${text}`);
  });

  it.each(['Commercial St Parking', 'Gracias Madre', 'Electronic payment', 'Card payment Lidl'])(
    'the CSV reader records an expense whose text only resembles a received payment: %s',
    async (text) => {
      expect((await read([`2026-01-14,${text},,20.00`]))[1]).toBe(`2026-01-14 -20 ${text}`);
    },
  );

  it('a refund with a minus is an income, and a row with the note "Credit" is an expense', async () => {
    const rows = await read(['2026-01-14,Amazon Refund,,-20.00', '2026-01-15,Aldi,Credit,7.50']);
    expect(rows.slice(1)).toEqual(['2026-01-14 +20 Amazon Refund', '2026-01-15 -7.5 Aldi']);
  });

  it('a refund is an income if the direction column says so', async () => {
    const lines = ['Date,Description,Type,Amount', '2026-01-13,Lidl,Debit,5.00', '2026-01-14,Refund,Credit,20.00'];
    const { rows } = await readExport(lines, { allExpenses: true, columns: { direction: 'Type' } });
    expect(rows[1]).toBe('2026-01-14 +20 Refund');
  });
});

it('with --all-incomes, a received payment with a minus fails, and a refund with a minus is an expense', async () => {
  const lines = ['Date,Description,Amount', '2026-01-13,Payment received,-5.00', '2026-01-14,Refund,-20.00'];
  const { rows } = await readExport(lines, { allIncomes: true });
  expect(rows).toEqual([
    'line 2 failure: "Payment received" names a received payment, but with --all-incomes a minus makes it an expense: remove the minus if it is an income, or record it manually',
    '2026-01-14 -20 Refund',
  ]);
});
