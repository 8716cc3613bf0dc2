import { expect, it } from 'vitest';
import { encode, encodeWide, readExport } from '../../../test-support/read-export.js';

const turkish = [
  'Tarih;Açıklama;Etiket;Tutar;Bakiye;Dekont No',
  '31.01.2024;MİGROS;Market;-345,67;9.654,33;1',
  '25.01.2024;MAAŞ;Gelir;25.000,00;10.000,00;2',
];

it('the CSV reader detects windows-1254 in a Turkish file, and not windows-1250', async () => {
  const { rows, interpretation } = await readExport(encode(turkish, 'windows-1254'));
  expect(rows).toEqual(['2024-01-31 -345.67 MİGROS', '2024-01-25 +25000 MAAŞ']);
  expect(interpretation.encoding).toBe('windows-1254');
});

it.each([
  ['windows-1250', 'Žlutý kůň, pražská třída; Říčany'],
  ['windows-1250', 'ŻABKA Łódź, ul. Główna, płatność kartą'],
  ['windows-1250', 'Plată cu cardul, Piața Unirii, ţigări'],
  ['windows-1250', 'Plaćanje računa, Šibenik, đački dom'],
  ['windows-1252', 'Café Müller, Straße, garçon, señor'],
  ['windows-1252', 'Swish från Åsa – Örebro'],
  ['windows-1254', 'Kira ödemesi, Kadıköy, İstanbul, Beşiktaş şubesi'],
  ['windows-1251', 'Оплата покупки, Москва, улица Ленина'],
  ['windows-1251', 'оплата покупки в магазине, банк, получатель'],
  ['windows-1255', 'משכורת מעבודה בע""מ, כרטיס אשראי, משיכת מזומן'],
  ['windows-1255', 'העברת שכר, סופר פארם'],
])('the CSV reader detects %s from the text "%s"', async (encoding, text) => {
  const { interpretation } = await readExport(encode(['Date,Text,Amount', `2024-01-31,"${text}",-5.00`], encoding));
  expect(interpretation.encoding).toBe(encoding);
});

it.each([
  [
    'shift_jis',
    [
      '"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高"',
      '"2024/2/1","振込１","カ）アクメ","","1,250,000","1,350,000"',
      '"2024/2/5","カード","ﾛｰｿﾝ","1,280","","1,348,720"',
      '"2024/2/15","口座振替","トウキョウデンリョク","8,450","","1,340,270"',
    ],
    ['2024-02-01 +1250000 振込1', '2024-02-05 -1280 カード', '2024-02-15 -8450 口座振替'],
  ],
  [
    'euc-jp',
    ['"日付","摘要","お支払金額","お預り金額"', '"2024/02/05","カード","1280",""', '"2024/02/06","給料振込","","2000"'],
    ['2024-02-05 -1280 カード', '2024-02-06 +2000 給料振込'],
  ],
  [
    'euc-kr',
    [
      '거래일시,적요,출금액,입금액,잔액',
      '2024.01.15,스타벅스,"5500","0","994500"',
      '2024.01.16,급여,"0","2500000","3494500"',
    ],
    ['2024-01-15 -5500 스타벅스', '2024-01-16 +2500000 급여'],
  ],
  [
    'gb18030',
    [
      '交易时间,交易对方,商品,收/支,金额,交易状态',
      '2024-01-15,肯德基,午餐,支出,35.00,交易成功',
      '2024-01-12,淘宝,退款,支出,60.00,交易关闭',
    ],
    ['2024-01-15 -35 午餐', 'line 3 skipped: it did not happen ("交易关闭")'],
  ],
  [
    'big5',
    ['日期,摘要,支出,收入', '2024-01-15,超商購物,35.00,', '2024-01-16,薪資轉帳,,60.00'],
    ['2024-01-15 -35 超商購物', '2024-01-16 +60 薪資轉帳'],
  ],
])('the CSV reader detects %s in a Chinese, Japanese or Korean export', async (encoding, lines, expected) => {
  const { rows, interpretation } = await readExport(encodeWide(lines, encoding));
  expect(interpretation.encoding).toBe(encoding);
  expect(rows.map((row) => row.normalize('NFKC'))).toEqual(expected);
});

it('the CSV reader suggests --encoding if it cannot identify the columns and the file is in an older encoding than UTF-8', async () => {
  const file = ['Ünß,Ölq', 'ä,ü'];
  await expect(readExport(encode(file, 'windows-1252'))).rejects.toMatchObject({
    remedy: expect.stringContaining('--encoding'),
  });
  await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.not.stringContaining('--encoding') });
});

/** Rows of OTP, a bank in Hungary, which writes no headers. */
const otp = [
  '"117730160123456700000000";"T";"-4990,00";"HUF";"20240105";"20240105";"120000,00";"";"";"LIDL ÁRUHÁZ 123";"";"VÁSÁRLÁS KÁRTYÁVAL";""',
  '"117730160123456700000000";"T";"-12500,00";"HUF";"20240117";"20240118";"107500,00";"";"";"MÁV-START JEGYPÉNZTÁR";"";"VÁSÁRLÁS";""',
  '"117730160123456700000000";"J";"350000,00";"HUF";"20240119";"20240119";"457500,00";"";"KISS JÁNOS";"MUNKABÉR";"";"ÁTUTALÁS";""',
];

it('the CSV reader does not read capitals of a Hungarian file as Chinese', async () => {
  const columns = { date: 'column 5', amount: 'column 3', description: 'column 10' };
  const { rows, interpretation } = await readExport(encode(otp, 'windows-1250'), { columns });
  expect(rows).toEqual([
    expect.stringContaining('-4990 HUF LIDL ÁRUHÁZ 123'),
    expect.stringContaining('-12500 HUF MÁV-START JEGYPÉNZTÁR'),
    expect.stringContaining('+350000 HUF MUNKABÉR'),
  ]);
  expect(interpretation.encoding).toMatch(/^windows-125[02]$/);
});

it.each(['LIDL ÁRUHÁZ', 'ÁRAMDÍJ', 'PRŽUN ŠIBENIK', 'ČESKÁ POŠTA PLZEŇ', 'ŽABKA, ŠKODA', 'VÁSÁRLÁS KÁRTYÁVAL'])(
  'the CSV reader reads the capitals of the Central European text "%s"',
  async (text) => {
    const file = encode(['Date,Text,Amount', `2024-01-31,"${text}",-5.00`], 'windows-1250');
    expect((await readExport(file)).rows).toEqual([`2024-01-31 -5 ${text}`]);
  },
);

it('the CSV reader suggests --encoding for garbled texts, and not for headers, if a file in windows-1250 has no headers', async () => {
  const rows = ['2024-01-05;VÁSÁRLÁS;4990,00;120000,00;Bolt', '2024-01-17;ÁTUTALÁS;12500,00;107000,00;Bérlő'];
  await expect(readExport(encode(rows, 'windows-1250'))).rejects.toMatchObject({
    message: expect.stringContaining('The columns: column 1'),
    remedy: expect.stringContaining('If the texts are garbled, set the encoding of the file with --encoding.'),
  });
});
