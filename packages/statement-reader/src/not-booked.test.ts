import { describe, expect, it } from 'vitest';
import { readInTest } from '../test-support/read-statement.js';

const ofxRow = (fields: string, amount: string) => `<STMTTRN><DTPOSTED>20260113<TRNAMT>${amount}${fields}</STMTTRN>`;
const ofx = (...rows: readonly string[]) =>
  `OFXHEADER:100\n<OFX><STMTRS><CURDEF>BRL<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></OFX>`;
const qif = (...records: readonly string[]) =>
  `!Type:Bank\n${records.map((record) => `D13/01/2026\n${record}\n^\n`).join('')}`;
const looksLikeBalance = (text: string) => `"${text}" looks like a balance and not like a transaction`;

/** Returns the outcome of each row, and the reason of each row that is not a transaction. */
const read = async (content: string, finalStatuses: readonly string[] = []) => {
  const { rows } = await readInTest(content, { options: { finalStatuses } });
  return rows.map((row) => (row.outcome === 'transaction' ? row.outcome : `${row.outcome}: ${row.reason}`));
};

describe('a row with the name of a balance', () => {
  it.each([
    'Saldo Anterior',
    'CLOSING BALANCE',
    'SALDO TOTAL DISPONIVEL DIA',
    'S A L D O',
    'Saldo al 31/12/2025',
    'BAL B/FWD',
    'Last statement balance',
    'BALANCE FROM LAST STATEMENT',
    'Stan początkowy',
    'Algjääk',
    'Initial balance for "Checking"',
  ])('fails in OFX and QIF: %s', async (name) => {
    const failure = `failure: ${looksLikeBalance(name)}`;
    expect(await read(ofx(ofxRow(`<FITID>x1<NAME>${name}`, '500'), ofxRow('<FITID>x2<NAME>Lidl', '-5')))).toEqual([
      failure,
      'transaction',
    ]);
    expect(await read(ofx(ofxRow(`<FITID>x1<PAYEE><NAME>${name}</PAYEE><MEMO>Conta`, '500')))).toEqual([failure]);
    expect(await read(ofx(ofxRow(`<FITID>x1<MEMO>${name}`, '500')))).toEqual([failure]);
    expect(await read(qif(`T500.00\nP${name}`, 'T-5.00\nPLidl'))).toEqual([failure, 'transaction']);
    expect(await read(qif(`T500.00\nM${name}`, 'T-5.00\nPLidl'))).toEqual([failure, 'transaction']);
  });

  it('is skipped in OFX if its FITID is only zeros', async () => {
    expect(await read(ofx(ofxRow('<FITID>000<NAME>Saldo Anterior', '500')))).toEqual([
      `skipped: ${looksLikeBalance('Saldo Anterior')}`,
    ]);
    expect(await read(ofx(ofxRow('<FITID>0<NAME>Saldo<MEMO>Kreditkarte Mai', '-300')))).toEqual([
      `failure: ${looksLikeBalance('Saldo')}`,
    ]);
    expect(await read(ofx(ofxRow('<FITID>0<MEMO>SALDO DIA', '.')))).toEqual([
      `skipped: ${looksLikeBalance('SALDO DIA')}`,
    ]);
  });

  it.each(['Balance Transfer', 'CREDIT BALANCE REFUND', 'Opening Deposit', 'Saldo fattura 12', 'Solde facture 8'])(
    'is a transaction if its text has further words: %s',
    async (name) => {
      expect(await read(ofx(ofxRow(`<FITID>x1<NAME>${name}`, '500')))).toEqual(['transaction']);
      expect(await read(qif(`T500.00\nP${name}`))).toEqual(['transaction']);
    },
  );

  it('is a transaction if it names a payee and only its memo names the balance, or if the QIF record has a category', async () => {
    expect(await read(ofx(ofxRow('<FITID>x1<NAME>Enel<MEMO>Saldo', '-5')))).toEqual(['transaction']);
    expect(await read(qif('T-5.00\nPEnel\nMSaldo', 'T-5.00\nPNew Balance\nLShoes'))).toEqual([
      'transaction',
      'transaction',
    ]);
  });

  it('does not count when the signs of an OFX account or a QIF card are detected', async () => {
    const shop = ofxRow('<TRNTYPE>DEBIT<FITID>x1<NAME>Lidl', '5');
    const balance = ofxRow('<TRNTYPE>OTHER<FITID>x2<NAME>Saldo Anterior', '-500');
    const { lines } = await readInTest(ofx(balance, shop));
    expect(lines).toEqual(['2026-01-13 -5 Lidl']);
    const card = qif('T-500.00\nPOpening balance', 'T5.00\nPLidl').replace('Bank', 'CCard');
    await expect(readInTest(card)).rejects.toThrow('No amount of the card has a minus');
  });
});

describe('a row whose text contains a word for pending or declined', () => {
  it.each([
    'PENDING: HOTEL',
    'PENDING - COLES',
    'Hotel (pending)',
    'Hotel - vorgemerkt',
    'Pending',
    'Pending Transaction: HOTEL',
    'PENDING TRANSACTION',
    'Vorgemerkte Buchung HOTEL',
    'Vorgemerkt REWE',
    'Reserverat: HOTELL',
    'Pre-authorised: HOTEL',
    'Authorisation hold - HOTEL',
    'AUTH ONLY HOTEL',
    'Temporary authorization HOTEL',
    'Scheduled: HOTEL',
    'HOTEL ROMA (authorisation)',
    'HOTEL ROMA (hold)',
  ])('fails in OFX and QIF: %s', async (text) => {
    const reason = expect.stringContaining(`failure: "${text}" says that it is pending`);
    expect(await read(ofx(ofxRow(`<FITID>x1<NAME>${text}`, '-100')))).toEqual([reason]);
    expect(await read(ofx(ofxRow(`<FITID>x1<NAME>Card<MEMO>${text}`, '-100')))).toEqual([reason]);
    expect(await read(qif(`T-100.00\nP${text}`, `T-100.00\nPCard\nM${text}`))).toEqual([reason, reason]);
  });

  it('is a transaction if an option says that the status is final', async () => {
    const files = [ofx(ofxRow('<FITID>x1<NAME>PENDING: HOTEL', '-100')), qif('T-100.00\nPPENDING - COLES')];
    for (const content of files) {
      expect(await read(content)).toEqual([expect.stringContaining('--final-status "pending"')]);
      expect(await read(content, ['Pending'])).toEqual(['transaction']);
    }
  });

  it.each([
    ['DECLINED - HOTEL', 'declined'],
    ['VOID: HOTEL', 'void'],
  ])('fails in OFX and QIF if the text says that the payment did not happen: %s', async (text, word) => {
    const reason = `failure: "${text}" says that the payment did not happen. If it did, use --final-status "${word}"`;
    expect(await read(ofx(ofxRow(`<FITID>x1<NAME>Card<MEMO>${text}`, '-100')))).toEqual([reason]);
    expect(await read(qif(`T-100.00\nP${text}`))).toEqual([reason]);
    expect(await read(qif(`T-100.00\nP${text}`), [word])).toEqual(['transaction']);
  });

  it('is a transaction if the word is only a part of a name', async () => {
    for (const name of [
      'Pending Ltd',
      'Pendleton',
      'Scheduled payment to ACME',
      'Declined fee refund',
      'Void Records',
    ]) {
      expect(await read(ofx(ofxRow(`<FITID>x1<NAME>${name}`, '-100')))).toEqual(['transaction']);
    }
  });
});
