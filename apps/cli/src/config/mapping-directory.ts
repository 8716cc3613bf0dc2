import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BalanceStore, MappingStore } from '@centavo/statement-reader';
import { writeFileAtomically } from './files.js';

/**
 * Returns the store of a profile's mappings. A mapping says how to read CSV files with certain headers. Its file is
 * `mappings/<fingerprint of the headers>.json` in the profile's directory.
 */
export function mappingDirectory(profileDirectory: string): MappingStore {
  return jsonFiles(join(profileDirectory, 'mappings'));
}

/**
 * Returns the store of the balances of earlier OFX and CAMT.053 files. The balances of an account are in
 * `ledger-balances/<fingerprint of the account>.json` in the profile's directory.
 */
export function balanceDirectory(profileDirectory: string): BalanceStore {
  return jsonFiles(join(profileDirectory, 'ledger-balances'));
}

function jsonFiles(directory: string): MappingStore & BalanceStore {
  const pathOf = (fingerprint: string) => join(directory, `${fingerprint}.json`);
  return {
    // A stored file that cannot be read counts as missing. The import then asks for the columns of the CSV file again, or does not
    // compare the balances of the file with those of earlier files.
    find: (fingerprint) => readFile(pathOf(fingerprint), 'utf8').catch(() => undefined),
    save: (fingerprint, text) => writeFileAtomically(pathOf(fingerprint), `${text}\n`),
  };
}
