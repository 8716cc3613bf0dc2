import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { FakeApi } from './fake-api.js';
import { createMachine, type Outcome, type TestMachine } from './run-in-test.js';
import { writeStatement } from './statement-files.js';

/** The set-up of import tests: an API in memory, which is empty before each test, and a new machine for each test. */
export class ImportBench {
  readonly api = new FakeApi();
  #machine: TestMachine | undefined;

  /** Registers the hooks of a test file; call it at the top of the file. */
  static setUp(): ImportBench {
    const bench = new ImportBench();
    beforeAll(() => bench.api.server.listen({ onUnhandledRequest: 'error' }));
    afterAll(() => bench.api.server.close());
    beforeEach(() => bench.replaceMachine());
    afterEach(() => bench.api.reset());
    return bench;
  }

  get machine(): TestMachine {
    if (this.#machine === undefined) throw new Error('There is a machine only within a test.');
    return this.#machine;
  }

  /** Replaces the machine with a new one, which has no state of earlier runs. */
  async replaceMachine(): Promise<void> {
    this.#machine = await createMachine();
  }

  /** Imports a file, and prints the summary as JSON. */
  importing(path: string, ...flags: string[]): Promise<Outcome> {
    return this.machine.run(['import', path, '-o', 'json', ...flags]);
  }

  /** Imports a file, creates all missing accounts and categories, and records pairs of rows as transfers. */
  pairing(path: string, ...flags: string[]): Promise<Outcome> {
    return this.importing(path, ...creating, '--pair-transfers', ...flags);
  }
}

/** The flags that accept guessed columns and transfers, and create all missing accounts and categories. */
export const creating = ['--yes', '--create-accounts', '--create-categories'];

export function summaryOf(run: { stdout: string }): Record<string, unknown> {
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

export function isMovementsUrl(url: URL): boolean {
  return url.pathname.endsWith('/movements');
}

/** Writes a file of one account with `count` rows. */
export function writeManyRows(count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `2026-01-13,Row ${index},-${index + 1}.00`);
  return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
}
