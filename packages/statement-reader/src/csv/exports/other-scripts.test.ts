import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('the CSV reader', () => {
  it('converts the years of the Buddhist calendar in a Thai export', async () => {
    const { rows, interpretation } = await readExport([
      'วันที่,รายการ,ถอนเงิน,ฝากเงิน,ยอดคงเหลือ',
      '01/10/2568,เงินเดือน,,25000.00,30000.00',
      '13/10/2568,ซื้อของ,500.00,,29500.00',
    ]);
    expect(rows).toEqual(['2025-10-01 +25000 เงินเดือน', '2025-10-13 -500 ซื้อของ']);
    expect(interpretation.balance).toBe('the balance column agrees on 2 of 2 rows');
  });

  it.each(['14/03/69', '14/03/70', '02/03/69'])(
    'refuses a two-digit year of the Buddhist calendar: %s',
    async (date) => {
      const lines = ['วันที่,รายการ,ถอน,ฝาก,คงเหลือ', `${date},7-ELEVEN,45.00,,955.00`];
      await expect(readExport(lines)).rejects.toMatchObject({
        message: `The dates in the column "วันที่" seem to have years of the Buddhist calendar with two digits, for example "${date}".`,
        remedy: 'In the file, write these years with four digits, such as 2569 for 2026.',
      });
    },
  );

  it.each([
    ['05/06/69', '25/06/69'],
    ['05 มิ.ย. 69', '25 มิ.ย. 69'],
    ['31-Dec-68', '13-Jan-69'],
  ])('refuses a two-digit year of the Buddhist calendar under headers in English: %s', async (first, second) => {
    const lines = ['Date,Description,Amount', `${first},7-ELEVEN,-45.00`, `${second},7-ELEVEN,-5.00`];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringContaining('The dates in the column "Date" seem to have years of the Buddhist calendar'),
    });
  });

  it.each([
    ['2082-11-18', '2082-11-25'],
    ['2082/11/18', '2082/11/25'],
    ['18-11-2082', '25-11-2082'],
  ])('refuses years of the Nepali calendar: %s', async (first, second) => {
    const lines = ['Date,Description,Withdraw,Deposit,Balance', `${first},ATM,500.00,,1500.00`];
    for (const dateFormat of [undefined, first.startsWith('2') ? 'YYYY-MM-DD' : 'DD-MM-YYYY']) {
      const options = dateFormat === undefined ? {} : { dateFormat };
      await expect(readExport([...lines, `${second},SALARY,,5000.00,6500.00`], options)).rejects.toMatchObject({
        message:
          'The dates in the column "Date" seem to have years of the Nepali calendar (Bikram Sambat): the earliest is 2082-11-18.',
        remedy:
          'Replace the dates in the file by Gregorian dates, such as 2026-01-13, or name another column with --date-column.',
      });
    }
  });

  it('reads a file in which only some dates have a year after 2069', async () => {
    const lines = ['Date,Description,Amount', '2026-01-13,Shop,-5.00', '2099-12-31,Placeholder,-1.00'];
    expect((await readExport(lines)).rows).toEqual(['2026-01-13 -5 Shop', '2099-12-31 -1 Placeholder']);
  });

  it('reads a two-digit Gregorian year in a Thai export', async () => {
    const { rows } = await readExport([
      'วันที่,รายการ,ถอน,ฝาก,คงเหลือ',
      '14/03/26,7-ELEVEN,45.00,,955.00',
      '31/03/26,7-ELEVEN,5.00,,950.00',
    ]);
    expect(rows).toEqual(['2026-03-14 -45 7-ELEVEN', '2026-03-31 -5 7-ELEVEN']);
  });

  it('reads the booked amount and its currency of a purchase abroad in an export of a Chinese bank', async () => {
    const { rows } = await readExport([
      '交易日期,摘要,交易金额(收入),交易金额(支出),交易币种,记账金额(收入),记账金额(支出),记账币种,余额',
      '2026-05-14,消费,,20.00,美元,,144.00,人民币,856.00',
      '2026-05-13,工资,1000.00,,人民币,1000.00,,人民币,1000.00',
    ]);
    expect(rows).toEqual(['2026-05-14 -144 CNY 消费', '2026-05-13 +1000 CNY 工资']);
  });

  it('reads the booked amounts of a Chinese bank, whose transaction amounts are dashes', async () => {
    const { rows } = await readExport([
      '卡号: 1234****9876,卡别名: 工资卡',
      '交易日期,摘要,交易金额(收入),交易金额(支出),交易币种,记账金额(收入),记账金额(支出),记账币种,余额',
      '2026-05-14 ,"消费 ","- ","- ",- ,"  ","13.40 ",人民币  ,"986.60 "',
      '2026-05-13 ,"工资 ","- ","- ",- ,"1,000.00 ","  ",人民币  ,"1,000.00 "',
    ]);
    expect(rows).toEqual(['2026-05-14 -13.4 CNY 消费', '2026-05-13 +1000 CNY 工资']);
  });

  it('reads an Arabic export with Arabic digits', async () => {
    const { rows, interpretation } = await readExport([
      'التاريخ,البيان,مدين,دائن,الرصيد',
      '٢٠٢٥/١٠/٠١,راتب,,١٬٠٠٠٫٥٠,١٬٥٠٠٫٥٠',
      '٢٠٢٥/١٠/١٣,شراء,٥٠٫٢٥,,١٬٤٥٠٫٢٥',
    ]);
    expect(rows).toEqual(['2025-10-01 +1000.5 راتب', '2025-10-13 -50.25 شراء']);
    expect(interpretation.balance).toBe('the balance column agrees on 2 of 2 rows');
  });

  it('reads a Hebrew export', async () => {
    const { rows } = await readExport([
      'תאריך,תיאור,חובה,זכות,יתרה',
      '13/10/2025,סופר,50.25,,1450.25',
      '14/10/2025,משכורת,,1000.00,2450.25',
    ]);
    expect(rows).toEqual(['2025-10-13 -50.25 סופר', '2025-10-14 +1000 משכורת']);
  });

  it('reports a row as failed if Alipay calls it neither income nor expense, and suggests no option for its direction', async () => {
    const { rows } = await readExport([
      '交易时间,商品说明,收/支,金额',
      '2025-10-13 12:00:00,午餐,支出,35.50',
      '2025-10-14 12:00:00,退款-鞋,不计收支,59.00',
      '2025-10-15 12:00:00,转账,收入,200.00',
    ]);
    expect(rows).toEqual([
      '2025-10-13 -35.5 午餐',
      'line 3 failure: "不计收支" says that it is neither an expense nor an income: record it manually if it changed the balance of the account',
      '2025-10-15 +200 转账',
    ]);
  });

  it('reads the debit and credit columns of a Vietnamese export, and not its reference numbers', async () => {
    const { rows } = await readExport([
      'Ngày giao dịch,Số tham chiếu,Số tiền ghi nợ,Số tiền ghi có,Số dư,Mô tả',
      '31/10/2025,5077.45,"99,000",,"901,000",CT CP 9PAY',
      '31/10/2025,9920.28,,"26,338,000","27,239,000",THANH TOAN LUONG',
    ]);
    expect(rows).toEqual(['2025-10-31 -99000 CT CP 9PAY', '2025-10-31 +26338000 THANH TOAN LUONG']);
  });

  it('reads the Greek codes Χ for a debit and Π for a credit', async () => {
    const { rows } = await readExport([
      'Ημερομηνία;Αιτιολογία;Ποσό;Πρόσημο ποσού',
      '13/03/2026;ΜΙΣΘΟΔΟΣΙΑ;1500,00;Π',
      '14/03/2026;ΑΓΟΡΑ;64,30;Χ',
    ]);
    expect(rows).toEqual(['2026-03-13 +1500 ΜΙΣΘΟΔΟΣΙΑ', '2026-03-14 -64.3 ΑΓΟΡΑ']);
  });

  it.each([
    ['Date,Description,Withdraw,Deposit,Balance', 'Withdraw', 'Deposit'],
    ['日期,摘要,支出,存入,餘額', '支出', '存入'],
    ['日期,摘要,支出金額,存入金額,餘額', '支出金額', '存入金額'],
    ['日期,摘要,支出金额,存入金额,余额', '支出金额', '存入金额'],
    ['תאריך,תיאור,סכום חיוב,סכום זיכוי,יתרה', 'סכום חיוב', 'סכום זיכוי'],
  ])('reads the columns of debits and credits: %s', async (headers, debit, credit) => {
    const { rows, interpretation } = await readExport([
      headers,
      '2026-03-02,Kiosk,45,,955',
      '2026-03-14,Salary,,1500,2455',
    ]);
    expect(rows).toEqual(['2026-03-02 -45 Kiosk', '2026-03-14 +1500 Salary']);
    expect(interpretation).toMatchObject({ debit, credit, balance: 'the balance column agrees on 2 of 2 rows' });
  });

  it('reads the amount of a Greek transaction', async () => {
    const { rows } = await readExport([
      'Ημερομηνία;Αιτιολογία;Ποσό Συναλλαγής;Υπόλοιπο',
      '13/03/2026;ΑΓΟΡΑ;-45,10;54,90',
      '14/03/2026;ΜΙΣΘΟΔΟΣΙΑ;1500,00;1554,90',
    ]);
    expect(rows).toEqual(['2026-03-13 -45.1 ΑΓΟΡΑ', '2026-03-14 +1500 ΜΙΣΘΟΔΟΣΙΑ']);
  });

  it('reads the amount that is charged to an Israeli card, and not the amount in the currency of the merchant', async () => {
    const lines = ['תאריך עסקה,שם בית העסק,סכום עסקה,סכום חיוב', '13/03/2026,AMAZON,10.00,37.10'];
    const { rows, question } = await readExport([...lines, '14/03/2026,דלק,30.00,30.00']);
    expect(rows).toEqual(['2026-03-13 -37.1 AMAZON', '2026-03-14 -30 דלק']);
    expect(question).toMatchObject({ message: expect.stringContaining('No amount has a sign'), requiresOption: true });
  });

  it('reads the currency of the amount that is charged to an Israeli card', async () => {
    const headers = 'תאריך עסקה,שם בית עסק,סכום עסקה,מטבע עסקה,סכום חיוב,מטבע חיוב';
    const { rows } = await readExport([headers, '13/03/2026,AMAZON,10.00,USD,37.10,ILS']);
    expect(rows).toEqual(['2026-03-13 -37.1 ILS AMAZON']);
  });

  it('refuses canceled purchases of a Korean card even with --all-expenses; they fail if an option declares their status final', async () => {
    const lines = ['이용일자,가맹점명,이용금액,승인상태', '2026-03-14,쿠팡,30000,승인', '2026-03-15,쿠팡,30000,취소'];
    await expect(readExport(lines, { allExpenses: true })).rejects.toMatchObject({
      message: 'Rows with "취소" in the column "승인상태" may be money in, or payments that did not happen.',
      remedy:
        'If each of these rows pays back another row of the file, use --expense-word 승인 --income-word 취소. If not, take them out of the file.',
    });
    const options = { allExpenses: true, columns: { direction: '' }, finalStatuses: ['취소'] };
    expect((await readExport(lines, options)).rows[1]).toContain('line 3 failure: "취소" names a refund or a credit');
  });

  it('requires no further option if options declare the canceled purchases of a Korean card as incomes', async () => {
    const lines = ['이용일자,가맹점명,이용금액,승인상태', '2026-03-14,쿠팡,30000,승인', '2026-03-15,쿠팡,30000,취소'];
    const { rows, question } = await readExport(lines, { expenseWords: ['승인'], incomeWords: ['취소'] });
    expect(rows).toEqual(['2026-03-14 -30000', '2026-03-15 +30000']);
    expect(question?.requiresOption).toBeUndefined();
    const withoutCanceled = await readExport([...lines.slice(0, 2), '2026-03-16,이마트,52000,승인'], {
      allExpenses: true,
    });
    expect(withoutCanceled.rows).toEqual(['2026-03-14 -30000', '2026-03-16 -52000']);
    expect(withoutCanceled.question?.requiresOption).toBeUndefined();
  });
});
