import { openCsv } from '../src/csv/open-csv.js';
import type { CsvOptions, MappingStore } from '../src/options.js';
import { fileSource } from '../src/source.js';
import { writeStatement } from './statement-files.js';

const noOptions: CsvOptions = { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true };

/** Returns a store that keeps mappings in memory. */
export function mappingsInMemory(): MappingStore & { saved: Map<string, string> } {
  const saved = new Map<string, string>();
  return {
    saved,
    find: async (fingerprint) => saved.get(fingerprint),
    save: async (fingerprint, text) => {
      saved.set(fingerprint, text);
    },
  };
}

/** Opens a CSV file with this content. */
export async function openCsvInTest(
  content: string | Buffer,
  options: Partial<CsvOptions> = {},
  mappings: MappingStore = mappingsInMemory(),
) {
  return openCsv({ source: fileSource(await writeStatement(content)), csv: { ...noOptions, ...options }, mappings });
}
