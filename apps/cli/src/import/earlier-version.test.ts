import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

/** The imports that the CLI of an earlier commit made: the profile that it wrote, and the requests that it sent. */
interface EarlierImports {
  readonly accounts: readonly Record<string, unknown>[];
  readonly categories: readonly Record<string, unknown>[];
  /** Contents of the files of the profile, by their path in the configuration directory. */
  readonly profile: Readonly<Record<string, string>>;
  readonly imports: readonly EarlierImport[];
}

interface EarlierImport {
  readonly name: string;
  readonly file: string;
  readonly content: string;
  readonly flags: readonly string[];
  readonly requests: readonly { readonly path: string; readonly key: string; readonly body: Record<string, unknown> }[];
}

const readFixture = async (commit: string) => {
  const fixture = new URL(`../../test-support/import-by-${commit}.json`, import.meta.url);
  return JSON.parse(await readFile(fixture, 'utf8')) as EarlierImports;
};
const first = await readFixture('e51010b');
// This commit did not use the columns of payers and payees.
const withoutPayers = await readFixture('1fdc703b');
const imports = [first, withoutPayers].flatMap((earlier) => earlier.imports.map((made) => ({ ...made, earlier })));
const bench = ImportBench.setUp();

async function restoreProfile(earlier: EarlierImports): Promise<void> {
  for (const account of earlier.accounts) bench.api.addAccount(account);
  for (const category of earlier.categories) bench.api.addCategory(category);
  for (const [name, content] of Object.entries(earlier.profile)) {
    const path = join(bench.machine.configHome, 'centavo', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** Sends the requests of the earlier imports once more, so that the API has their movements and keys. */
async function restoreMovements(earlier: EarlierImports): Promise<void> {
  for (const { path, key, body } of earlier.imports.flatMap(({ requests }) => requests)) {
    const response = await fetch(`http://127.0.0.1:8080/v1/financial${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-token', 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
  }
}

/** Returns the path and key of each movement and transfer that the import sent. Omits requests that only look up a key. */
function sentKeys(): readonly string[] {
  return bench.api.requests
    .filter(({ method, path }) => method === 'POST' && /^\/(movements|transfers)$/.test(path))
    .filter(({ body }) => !/^[0-]+$/.test(String(body.accountId)))
    .map(({ path, headers }) => `${path} ${headers.get('idempotency-key')}`);
}

describe('a file that an earlier version of the CLI imported', () => {
  it.each(imports)('is replayed without new records: $name', async ({ earlier, file, content, flags }) => {
    await restoreProfile(earlier);
    await restoreMovements(earlier);
    const before = structuredClone(bench.api.movements);
    const run = await bench.importing(await writeStatement(content, file), ...flags);
    expect(run.code).toBe(0);
    const { rows, replayed, created, failed, skipped } = summaryOf(run);
    expect({ replayed, created, failed, skipped }).toEqual({ replayed: rows, created: 0, failed: 0, skipped: 0 });
    expect(bench.api.movements).toEqual(before);
  });

  it.each(imports)(
    'is sent with the idempotency keys that the earlier version used: $name',
    async ({ earlier, file, content, flags, requests }) => {
      await restoreProfile(earlier);
      await bench.importing(await writeStatement(content, file), ...flags);
      const expected = requests.map(({ path, key }) => `${path} ${key}`);
      expect(sentKeys().toSorted()).toEqual(expected.toSorted());
    },
  );

  it.each([
    [
      'saved mapping',
      'bank.csv',
      '--account Checking --date-column Date --amount-column Amount --description-column Notes',
    ],
    [
      'saved identifying columns',
      'card.csv',
      '--account Giro --date-column Buchung --debit-column Haben --credit-column Soll',
    ],
  ])('is recognized by the %s of the earlier import, even if flags name other columns', async (_, file, flags) => {
    await restoreProfile(first);
    await restoreMovements(first);
    const content = first.imports.find((candidate) => candidate.file === file)?.content ?? '';
    const run = await bench.importing(await writeStatement(content, file), ...flags.split(' '), '--yes');
    const { rows, replayed, created, failed } = summaryOf(run);
    expect({ replayed, created, failed }).toEqual({ replayed: rows, created: 0, failed: 0 });
  });

  it.each(withoutPayers.imports)(
    'is replayed with --no-saved-mapping, although the CLI now also reads the columns of payers and payees: $name',
    async ({ file, content, flags }) => {
      await restoreProfile(withoutPayers);
      await restoreMovements(withoutPayers);
      for (const more of [['--no-saved-mapping', '--save-mapping'], []]) {
        const run = await bench.importing(await writeStatement(content, file), ...flags, ...more);
        expect(run.stderr).toContain('column "Zahlungsempfänger*in" for expenses, "Zahlungspflichtige*r" for incomes');
        expect(summaryOf(run)).toMatchObject({ rows: 3, replayed: 3, created: 0, failed: 0, skipped: 0 });
      }
    },
  );
});
