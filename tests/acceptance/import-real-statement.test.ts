import { generate } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type KnownStatement, realStatement, realStatementNote, sampleStatement } from './support/statements.js';
import type { Terminal } from './support/terminal.js';

const sandbox = openSandbox();

describe.skipIf(realStatement === undefined)(`a real statement of 808 rows${realStatementNote}`, () => {
  const statement = realStatement ?? sampleStatement;
  let server: Server;
  let ana: Household;

  beforeAll(async () => {
    server = await sandbox.startServer({ dataDir: sandbox.newDataDir() });
    ana = await createHousehold(sandbox, { origin: server.origin, currencyCode: statement.currencyCode });
  });

  describe('an import by a user into an empty tracker', () => {
    const line = `import "${statement.path}" --create-accounts --create-categories --yes`;

    it('prints the number of rows, and records nothing, with --dry-run', async () => {
      expect(await ana.centavo.show(`${line} --dry-run`)).toMatchObject({ dryRun: true, rows: 808, created: 0 });
      expect(await countMovements(ana.callsTo(server.origin))).toBe(0);
    });

    it('records 808 movements, and all balances are correct', async () => {
      expect(await ana.centavo.show(line)).toEqual(summaryOf(statement, { created: 808, replayed: 0 }));
      expect(await showBalances(ana.centavo)).toEqual(statement.balances);
      expect(await countMovements(ana.callsTo(server.origin))).toBe(808);
      expect(await ana.centavo.show('movements list --all')).toHaveLength(808);
    });

    it('records nothing when it is repeated', async () => {
      expect(await ana.centavo.show(line)).toEqual(summaryOf(statement, { created: 0, replayed: 808 }));
      expect(await showBalances(ana.centavo)).toEqual(statement.balances);
      expect(await countMovements(ana.callsTo(server.origin))).toBe(808);
    });
  });

  describe('an import with an API key for a second tracker', () => {
    const line = `import "${statement.path}" --create-categories --yes`;
    let cron: Terminal;

    it('needs an API key, which `keys create` prints only after the user has sent a one-time code', async () => {
      const { centavo } = ana;
      await centavo.show('trackers create Business --currency USD --time-zone America/New_York');
      for (const name of Object.keys(statement.balances)) {
        await centavo.show(`accounts create "${name}" --tracker Business`);
      }
      const create =
        'keys create nightly --for-tracker Business --scope movements:read --scope movements:write ' +
        '--scope accounts:read --scope balances:read --scope catalog:read --scope catalog:write:tracker';
      const withoutCode = await centavo.run(create);
      expect(withoutCode).toMatchObject({ exitCode: 3, stdout: '' });

      const { secret: seed } = await centavo.show('totp enrol --no-input');
      const code = await generate({ secret: seed });
      expect(await centavo.run(`totp verify --code ${code}`)).toMatchObject({ exitCode: 0 });
      const { exitCode, stdout } = await centavo.run(create);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^centavo_live_[0-9A-Za-z]{49}\n$/);
      cron = await sandbox.newTerminal({ CENTAVO_BASE_URL: server.baseUrl, CENTAVO_TOKEN: stdout.trim() });
    });

    it('records 808 movements in the tracker of the key although --tracker is absent, and all balances are correct', async () => {
      expect(await cron.show(line)).toEqual(summaryOf(statement, { created: 808, replayed: 0 }));
      expect(await showBalances(cron)).toEqual(statement.balances);
      const [newest] = await cron.show('movements list --limit 1');
      expect(newest.source.type).toBe('integration_client');
    });

    it('records nothing when it is repeated', async () => {
      expect(await cron.show(line)).toEqual(summaryOf(statement, { created: 0, replayed: 808 }));
      expect(await showBalances(cron)).toEqual(statement.balances);
    });

    it('exits with 4 for a tracker that the key has no access to, as does `centavo balances`', async () => {
      expect(await cron.run(`balances --tracker ${ana.trackerId}`)).toMatchObject({ exitCode: 4, stdout: '' });
      expect(await cron.run(`${line} --tracker ${ana.trackerId}`)).toMatchObject({ exitCode: 4 });
      expect(await ana.centavo.show('movements list --all')).toHaveLength(808);
      expect(await showBalances(ana.centavo)).toEqual(statement.balances);
    });
  });
});

function summaryOf(statement: KnownStatement, counts: { created: number; replayed: number }) {
  return { rows: statement.rows, ...counts, failed: 0, skipped: 0, failures: [] };
}
