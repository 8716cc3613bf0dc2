import { generate } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { openSandbox, type Server } from './support/sandbox.js';
import {
  type KnownStatement,
  realBankStatement,
  realStatement,
  realStatementNote,
  sampleStatement,
} from './support/statements.js';
import { until } from './support/until.js';

const sandbox = openSandbox();
let server: Server;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir: sandbox.newDataDir() });
});

const openHousehold = (currencyCode: string) => createHousehold(sandbox, { origin: server.origin, currencyCode });

describe('an OFX file', () => {
  const content = [
    'OFXHEADER:100',
    'CHARSET:1252',
    '',
    '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>ES91<ACCTTYPE>CHECKING</BANKACCTFROM>',
    '<BANKTRANLIST><STMTTRN><DTPOSTED>20260708<TRNAMT>-18.20<FITID>1<NAME>Casa Ana</STMTTRN>',
    '<STMTTRN><DTPOSTED>20260709<TRNAMT>12.00<FITID>2<NAME>Luz</STMTTRN></BANKTRANLIST>',
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
  ].join('\n');

  it('is recorded once by an API key with only accounts:read and movements:write; --pair-transfers requires movements:read', async () => {
    const ana = await openHousehold('EUR');
    await ana.centavo.show('accounts create Everyday');
    const file = await sandbox.writeFile('everyday.ofx', content);
    const { secret: seed } = await ana.centavo.show('totp enrol --no-input');
    await ana.centavo.run(`totp verify --code ${await generate({ secret: seed })}`);
    const made = await ana.centavo.run(
      'keys create bank --for-tracker Household --scope accounts:read --scope movements:write',
    );
    expect(made).toMatchObject({ exitCode: 0 });
    const env = { CENTAVO_BASE_URL: server.baseUrl, CENTAVO_TOKEN: made.stdout.trim() };
    const cron = await sandbox.newTerminal(env);

    expect(await cron.show(`import "${file}" --account Everyday`)).toMatchObject({ rows: 2, created: 2, failed: 0 });
    expect(await cron.show(`import "${file}" --account Everyday`)).toMatchObject({ created: 0, replayed: 2 });
    expect(await showBalances(ana.centavo)).toEqual({ Everyday: '-6.20' });
    expect(await cron.run(`import "${file}" --account Everyday --pair-transfers`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('movements:read'),
    });
  });

  it('is recorded again after --undo only with --record-again; a second import with --record-again records nothing', async () => {
    const ana = await openHousehold('EUR');
    await ana.centavo.show('accounts create Everyday');
    const file = await sandbox.writeFile('undone.ofx', content);
    const line = `import "${file}" --account Everyday`;
    await ana.centavo.show(line);
    for (const _ of [1, 2]) {
      expect(await ana.centavo.show(`${line} --undo --yes`)).toMatchObject({ voided: 2, alreadyVoided: 0 });
      expect(await ana.centavo.run(line)).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('2 of the replayed rows were recorded before and voided later'),
      });
      expect(await showBalances(ana.centavo)).toEqual({ Everyday: '0.00' });
      expect(await ana.centavo.show(`${line} --record-again`)).toMatchObject({ created: 2, replayed: 0 });
      expect(await ana.centavo.show(`${line} --record-again`)).toMatchObject({ created: 0, replayed: 2 });
      expect(await showBalances(ana.centavo)).toEqual({ Everyday: '-6.20' });
    }
  });
});

describe('a CSV file with a transfer', () => {
  it('is recorded again after --undo only with --record-again; a second import with --record-again records nothing', async () => {
    const ana = await openHousehold('EUR');
    for (const name of ['Everyday', 'Savings']) await ana.centavo.show(`accounts create ${name}`);
    const rows = ['Date,Amount,Account', '2026-07-02,-200.00,Everyday', '2026-07-03,200.00,Savings'];
    const file = await sandbox.writeFile('transfer.csv', rows.join('\n'));
    const line = `import "${file}" --pair-transfers --yes`;
    expect(await ana.centavo.show(line)).toMatchObject({ created: 2 });
    expect(await ana.centavo.show(`${line} --undo`)).toMatchObject({ voided: 1 });
    expect(await ana.centavo.run(line)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('2 of the replayed rows were recorded before and voided later'),
    });
    expect(await ana.centavo.show(`${line} --record-again`)).toMatchObject({ created: 2 });
    expect(await ana.centavo.show(`${line} --record-again`)).toMatchObject({ created: 0, replayed: 2 });
    expect(await showBalances(ana.centavo)).toEqual({ Everyday: '-200.00', Savings: '200.00' });
  });
});

describe.skipIf(realBankStatement === undefined)(
  `a CAMT.053 file of several statements${noteOf(realBankStatement)}`,
  () => {
    it('is refused if no option names the account; with --statement-account, the balance of the account is correct', async () => {
      const { path, rows, balances } = realBankStatement ?? sampleStatement;
      const ana = await openHousehold('EUR');
      await ana.centavo.show('accounts create Everyday');
      const unknown = await ana.centavo.run(`import "${path}"`);
      expect(unknown).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('"NL26VAYB8060476890", EUR, 2 rows'),
      });

      const line = `import "${path}" --statement-account "NL26 VAYB 8060 4768 90=Everyday"`;
      expect(await ana.centavo.show(line)).toMatchObject({ rows, created: rows, failed: 0 });
      expect(await ana.centavo.show(`import "${path}" --account Everyday`)).toMatchObject({
        created: 0,
        replayed: rows,
      });
      expect(await showBalances(ana.centavo)).toEqual(balances);
    });
  },
);

describe.skipIf(realStatement === undefined)(`100 rows in a real statement of 808 rows${realStatementNote}`, () => {
  const { path, rows, balances, currencyCode } = realStatement ?? sampleStatement;
  const line = `import "${path}" --create-accounts --yes`;
  let ana: Household;

  it('are recorded as 50 transfers by an import with --pair-transfers', async () => {
    ana = await openHousehold(currencyCode);
    const first = await ana.centavo.run(`${line} --pair-transfers`);
    expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('100 rows form 50 transfers.') });
    expect(first.stderr).toMatch(
      /\d+ categories of the file are left out, because they are missing or unusable in this tracker: Shopping, /,
    );
    expect(await showBalances(ana.centavo)).toEqual(balances);
    expect(await countMovements(ana.callsTo(server.origin))).toBe(rows);
  });

  it.each(['--pair-transfers', ''])('are all replayed in a second import with the flags "%s"', async (flag) => {
    expect(await ana.centavo.show(`${line} ${flag}`)).toMatchObject({ rows, created: 0, replayed: rows, failed: 0 });
    expect(await showBalances(ana.centavo)).toEqual(balances);
    expect(await countMovements(ana.callsTo(server.origin))).toBe(rows);
  });
});

describe('a killed import with --pair-transfers', () => {
  it('is completed by the next import, after which every transfer and every movement is recorded once', async () => {
    const days = Array.from({ length: 60 }, (_, index) => ({ amount: `${index + 1}.50`, day: dayAfter(index) }));
    const rows = days.flatMap(({ amount, day }) => [
      `${day},Everyday,To savings,-${amount}`,
      `${day},Savings,From everyday,${amount}`,
      `${day},Everyday,Bread,-1.10`,
    ]);
    const file = await sandbox.writeFile('both.csv', ['Date,Account,Description,Amount', ...rows].join('\n'));
    const ana = await openHousehold('EUR');
    const call = ana.callsTo(server.origin);
    const line = `import "${file}" --create-accounts --pair-transfers --yes`;
    const importing = ana.centavo.start(line);
    await until('some rows are recorded', async () => (await countMovements(call)) >= rows.length / 8);
    expect(await importing.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stdout: '' });

    const { created, replayed, failed } = await ana.centavo.show(line);
    expect([created + replayed, failed]).toEqual([rows.length, 0]);
    expect(created).toBeGreaterThan(0);
    expect(await countMovements(call)).toBe(rows.length);
    // 1.50 + 2.50 + … + 60.50 = 1860.00, and 60 × 1.10 = 66.00.
    expect(await showBalances(ana.centavo)).toEqual({ Everyday: '-1926.00', Savings: '1860.00' });
  });
});

function dayAfter(days: number): string {
  return new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);
}

function noteOf(statement: KnownStatement | undefined): string {
  return statement === undefined ? ' (skipped: no such file beside the repository)' : '';
}
