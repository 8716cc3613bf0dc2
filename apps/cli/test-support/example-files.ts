/** The files that the examples in the help use. Each bank statement among them has one or two rows. */

function camtStatement(iban: string): string {
  return `<Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>USD</Ccy></Acct><Ntry><NtryRef>${iban}</NtryRef>
<Amt Ccy="USD">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt></Ntry></Stmt>`;
}

const ofx = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>1<ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260102<TRNAMT>-12.50<FITID>1<NAME>Market</STMTTRN></BANKTRANLIST>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

const statementCsv = 'Date,Description,Amount\n2026-01-02,Market,-12.50\n2026-01-03,Paycheck,2000.00\n';

export const examplePassword = 'correct horse battery';

export const exampleFiles: Readonly<Record<string, string>> = {
  'password.txt': `${examplePassword}\n`,
  'statement.csv': statementCsv,
  // This file is not a ZIP archive. It has the text that `unzip -p` would print, because the tests do not run `unzip`.
  'export.zip': statementCsv,
  'export.csv': 'Date,Text,Out,In\n31/01/2026,Rent,800.00,\n01/02/2026,Paycheck,,2000.00\n',
  'personal-transactions.csv':
    'Date,Description,Amount,Transaction Type,Category,Account Name\n01/31/2026,Market,12.50,debit,Groceries,Checking\n',
  'checking.ofx': ofx,
  'all-accounts.xml': `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
${camtStatement('NL26VAYB8060476890')}${camtStatement('NL56AGDH9619008421')}</BkToCstmrStmt></Document>
`,
  'quicken.qif': '!Account\nNWallet\nTCash\n^\n!Type:Cash\nD31/01/2026\nT-12.50\nPMarket\nLFood\n^\n',
  'movement.json': '{"type": "expense", "amountDecimal": "800.00", "accountId": "x"}',
  'plan.json': '{"mode": "tracking", "lines": []}',
};
