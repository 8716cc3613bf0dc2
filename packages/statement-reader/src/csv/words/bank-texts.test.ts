import { describe, expect, it } from 'vitest';
import { openCsvInTest } from '../../../test-support/open-csv-in-test.js';

const rowsAgreeWithSigns = async (...rows: readonly string[]) => {
  const lines = ['Date,Description,Amount', ...rows.map((row, index) => `2026-03-1${index},${row}`)];
  return (await openCsvInTest(lines.join('\n'))).undecidedSigns?.rowsAgreeWithSigns;
};

describe('the rows of a file with signs', () => {
  it.each([
    ['ACME Corp Salary,2100.00', 'Rewe,-45.10'],
    ['Gehalt Muster GmbH,2100.00', 'Rewe,-45.10'],
    ['SEPA-Überweisung Anna Muster,20.00', 'Rewe,-45.10'],
    ['VIREMENT DE M MARTIN,50.00', 'Carrefour,-12.30'],
    ['NÓMINA MARZO,1500.00', 'Mercadona,-45.10'],
    ['Bonifico da Rossi,50.00', 'Esselunga,-12.30'],
    ['給与 カ)アクメ,250000', 'セブン,-450'],
    ['Anna,20.00', 'Rent March,-900.00'],
    ['Anna,20.00', 'Kontogebühr,-3.50'],
    ['Anna,20.00', 'ATM Main Street,-50.00'],
    ['VIR DUPONT,50.00', 'PRLV SEPA EDF,-12.30'],
    ['VIR INST DURAND,50.00', 'CB CARREFOUR,-12.30'],
    ['REMISE CHEQUE 12,50.00', 'CB CARREFOUR,-12.30'],
    ['REM CHQ 14,50.00', 'CB CARREFOUR,-12.30'],
    ['DAUERAUFTRAGSGUTSCHRIFT Muster,20.00', 'Rewe,-45.10'],
    ['SEPA-Überweisungsgutschrift Muster,20.00', 'Rewe,-45.10'],
    ['GUTSCHR. UEBERW. Muster,20.00', 'Rewe,-45.10'],
    ['Mieter Schulz,700.00', 'Hausgeld WEG Gartenstr.,-210.00'],
    ['BANK GIRO CREDIT ACME LTD,850.00', 'TESCO,-45.10'],
    ['FPI JONES A,850.00', 'DD BRITISH GAS,-45.10'],
    ['BGC,850.00', 'TESCO,-45.10'],
    ['FASTER PAYMENTS RECEIPT JONES,850.00', 'TESCO,-45.10'],
    ['Rent received flat 1,850.00', 'Plumber Brown,-120.00'],
    ['UPI/CR/412233/JOHN,850.00', 'UPI/DR/412299/ZOMATO,-120.00'],
    ['NEFT ACME LTD,850.00', 'POS ZOMATO,-120.00'],
    ['IMPS-P2A-ANNA,850.00', 'POS ZOMATO,-120.00'],
    ['TRANSF. DE JUAN,850.00', 'MERCADONA,-45.10'],
    ['TRF LUIS,850.00', 'CONTINENTE,-45.10'],
    ['BONIF. ROSSI,850.00', 'ESSELUNGA,-45.10'],
    ['Swish Anna,200.00', 'ICA,-45.10'],
    ['Tikkie Jan,12.00', 'ALBERT HEIJN,-45.10'],
    ['Zelle John Smith,850.00', 'COMCAST,-45.10'],
    ['Shop,+20.00', 'Cinema,-12.00'],
  ])('show that a minus is an expense: "%s" and "%s"', async (...rows) => {
    expect(await rowsAgreeWithSigns(...rows)).toBe(true);
  });

  it.each([
    ['AMAZON MKTPL,45.10', 'ZARA STORE 22,-20.00'],
    ['NETFLIX,15.49', 'DIRECT DEBIT,-100.00'],
    ['REWE SAGT DANKE,31.20', 'Lastschrift vom Girokonto,-120.00'],
    ['PARENTHESES BOOKS,8.00', 'FEELGOOD YOGA,-30.00'],
    ['CB CARREFOUR,8.00', 'PRLV SEPA BANQUE,-30.00'],
    ['VIRGIN MEDIA,8.00', 'ZARA,-30.00'],
    ['STARBUCKS BGC TAGUIG,8.00', 'ZARA,-30.00'],
    ['FPI MANAGEMENT,800.00', 'ZARA,-30.00'],
    ['BALANCE TRF BARCLAYS,800.00', 'ZARA,-30.00'],
    ['TRF MB WAY ANA,8.00', 'CONTINENTE,-30.00'],
    ['TRANSF. A CUENTA,300.00', 'ZARA,-30.00'],
    ['MobilePay Netto,8.00', 'ZARA,-30.00'],
    ['Invoice 2201 Adobe,8.00', 'ZARA,-30.00'],
    ['UPI/DR/412299/ZOMATO,8.00', 'ZARA,-30.00'],
  ])('do not show the meaning of a minus: "%s" and "%s"', async (...rows) => {
    expect(await rowsAgreeWithSigns(...rows)).toBe(false);
  });
});

describe('the category of a row', () => {
  const rowsAgreeWith = async (incomeCategory: string, expenseCategory: string) => {
    const rows = [`2026-03-13,Anna,${incomeCategory},850.00`, `2026-03-14,Brown,${expenseCategory},-120.00`];
    return (await openCsvInTest(['Date,Description,Category,Amount', ...rows].join('\n'))).undecidedSigns
      ?.rowsAgreeWithSigns;
  };

  it.each([
    ['Sales', 'Repairs'],
    ['Income', 'Repairs'],
    ['Services', 'Rent'],
    ['Services', 'Mortgage & Rent'],
    ['Services', 'Miete'],
  ])(
    'shows that a minus is an expense if rows without a minus have the category "%s", and rows with a minus "%s"',
    async (...categories) => {
      expect(await rowsAgreeWith(...categories)).toBe(true);
    },
  );

  it.each([
    ['Sales & Marketing', 'Repairs'],
    ['Shopping', 'Insurance'],
    ['Shopping', 'Rent a car'],
    ['Rent', 'Shopping'],
  ])(
    'does not show the meaning of a minus if rows without a minus have the category "%s", and rows with a minus "%s"',
    async (...categories) => {
      expect(await rowsAgreeWith(...categories)).toBe(false);
    },
  );
});

describe('a balance column that agrees with the signs', () => {
  const card = [
    '13,AMAZON,45.10,145.10',
    '14,SHELL,38.00,183.10',
    '15,DIRECT DEBIT,-100.00,83.10',
    '16,LIDL,7.00,90.10',
  ];
  const balanceAgreesWithSigns = async (rows: readonly string[]) => {
    const lines = ['Date,Description,Amount,Balance', ...rows.map((row) => `2026-03-${row}`)];
    return (await openCsvInTest(lines.join('\n'))).undecidedSigns?.balanceAgreesWithSigns;
  };

  it.each([
    ['oldest first', card],
    ['newest first', card.toReversed()],
  ])('may show a debt if an amount with a minus pays the balance before the oldest row: %s', async (_order, rows) => {
    expect(await balanceAgreesWithSigns(rows)).toBe(false);
  });

  it('shows that a minus is an expense if no amount pays this balance, or if a text names an income', async () => {
    const other = ['13,AMAZON,45.10,145.10', '14,SHELL,38.00,183.10', '15,DIRECT DEBIT,-90.00,93.10'];
    expect(await balanceAgreesWithSigns(other)).toBe(true);
    expect(await balanceAgreesWithSigns(card.map((row) => row.replace('SHELL', 'Salary')))).toBe(true);
  });
});
