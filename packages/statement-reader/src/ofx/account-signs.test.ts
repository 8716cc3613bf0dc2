import { describe, expect, it } from 'vitest';
import { openInTest, readInTest } from '../../test-support/read-statement.js';
import { writeStatement } from '../../test-support/statement-files.js';

/** A transaction with its type, amount and name, such as `DEBIT -5 SHOP`. */
type Rows = readonly string[];

const transaction = (row: string, index: number) => {
  const [type = '', amount = '', ...name] = row.split(' ');
  return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>2026010${(index % 9) + 1}<TRNAMT>${amount}<FITID>T${index}${amount}<NAME>${name.join(' ')}</STMTTRN>`;
};
const cardOf = (number: string, rows: Rows) =>
  `<CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>${number}</CCACCTFROM><BANKTRANLIST>${rows.map(transaction).join('\n')}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS>`;
const checking = (rows: Rows) =>
  `<STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>9<ACCTID>700<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.map(transaction).join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS>`;
const file = (...statements: string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX>${statements.join('\n')}</OFX>`;

const bankSigns = [
  'DEBIT -45.20 GROCERY OUTLET',
  'DEBIT -20 SHELL OIL',
  'DEBIT -9.99 NETFLIX.COM',
  'CREDIT 75.19 PAYMENT THANK YOU',
];
const remedy =
  'Import each account by itself with --statement-account. For each account, add --minus income if a minus is money in, or --minus expense if a minus is money out.';

describe('the signs of two cards in one OFX file', () => {
  it.each([
    ['its payment has a minus', ['OTHER 12.50 BLUE BOTTLE', 'OTHER 30 DELTA AIR', 'OTHER -42.50 PAYMENT RECEIVED']],
    ['its types contradict the signs', ['DEBIT 12.50 BLUE BOTTLE', 'DEBIT 30 DELTA AIR', 'CREDIT -42.50 BILL 12']],
    ['most of its amounts have no minus', ['OTHER 12.50 BLUE BOTTLE', 'OTHER 30 DELTA AIR', 'OTHER -42.50 BILL 12']],
    ['none of its amounts has a minus', ['OTHER 12.50 BLUE BOTTLE', 'OTHER 30 DELTA AIR']],
  ])('require an option if the signs of one card seem to be reversed, because %s', async (_, reversed) => {
    for (const cards of [
      [cardOf('4000111', bankSigns), cardOf('4000222', reversed)],
      [cardOf('4000222', reversed), cardOf('4000111', bankSigns)],
    ]) {
      await expect(readInTest(file(...cards))).rejects.toMatchObject({
        message: expect.stringContaining('A minus may mean money in, as on some card statements'),
        remedy,
      });
    }
  });

  it('follow --minus if each card is imported by itself', async () => {
    const reversed = ['DEBIT 12.50 BLUE BOTTLE', 'DEBIT 30 DELTA AIR', 'CREDIT -42.50 BILL 12'];
    const content = file(cardOf('4000111', bankSigns), cardOf('4000222', reversed));
    const read = async (number: string, minusMeans: 'expense' | 'income') =>
      (await readInTest(content, { onlyAccounts: [number], options: { minusMeans } })).lines.map((line) =>
        line.slice(11),
      );
    expect(await read('4000222', 'income')).toEqual(['-12.5 BLUE BOTTLE', '-30 DELTA AIR', '42.5 BILL 12']);
    expect(await read('4000111', 'expense')).toHaveLength(4);
  });

  it('require an option if the types of one card show reversed signs, and most amounts of the other card have a minus', async () => {
    const content = file(
      cardOf('4000111', ['OTHER -45.20 GROCERY OUTLET', 'OTHER -20 SHELL OIL', 'OTHER 5 SHELL OIL']),
      cardOf('4000222', ['DEBIT 12.50 BLUE BOTTLE', 'DEBIT 30 DELTA AIR', 'CREDIT -42.50 BILL 12']),
    );
    await expect(readInTest(content)).rejects.toMatchObject({
      message: expect.stringContaining('2 of 3 amounts of one card have a minus'),
      remedy,
    });
  });

  it('need no option if both cards have the signs of OFX, even if one has only a payment, a refund or a few purchases', async () => {
    for (const rows of [
      ['CREDIT 20 PAYMENT THANK YOU'],
      ['OTHER 20 REFUND SHOP'],
      ['OTHER -20 SHOP', 'OTHER 20 SHOP'],
      ['DEBIT 20 REFUND SHOP', 'DEBIT -20 SHOP'],
      ['CREDIT -20 SHOP', 'CREDIT -21 SHOP'],
      ['OTHER -20 AUTOPAY INSURANCE'],
    ]) {
      const statement = await openInTest(
        await writeStatement(file(cardOf('4000111', bankSigns), cardOf('4000222', rows)), 'cards.ofx'),
      );
      expect(statement.rowCount).toBe(4 + rows.length);
    }
  });

  it('need no option if the types show that the signs of both cards are reversed', async () => {
    const rows = ['DEBIT 12.50 BLUE BOTTLE', 'DEBIT 30 DELTA AIR', 'CREDIT -42.50 BILL 12'];
    const { lines } = await readInTest(file(cardOf('4000111', rows), cardOf('4000222', rows.slice(1))));
    expect(lines.filter((line) => line.includes(' -'))).toHaveLength(3);
  });
});

describe('the signs of a card beside a bank account in one OFX file', () => {
  it('require an option if no amount of the card has a minus, and no type shows the direction', async () => {
    const bank = checking(['DEBIT -45.20 GROCERY OUTLET', 'DEP 1800 PAYROLL']);
    const content = file(bank, cardOf('4000222', ['OTHER 12.50 BLUE BOTTLE', 'OTHER 30 DELTA AIR']));
    await expect(readInTest(content)).rejects.toMatchObject({
      message: expect.stringContaining('2 of 2 amounts of one card have no minus'),
      remedy,
    });
  });
});
