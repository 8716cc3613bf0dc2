import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BalanceStore, MappingStore } from '@centavo/statement-reader';
import { writeFileAtomically } from './files.js';

/** Returns the store of the saved CSV mappings of a profile: `mappings/<fingerprint>.json` in its directory. */
export function mappingDirectory(profileDirectory: string): MappingStore {
  return jsonFiles(join(profileDirectory, 'mappings'));
}

/** Returns the store of the saved ledger balances of a profile: `ledger-balances/<fingerprint>.json` in its directory. */
export function balanceDirectory(profileDirectory: string): BalanceStore {
  return jsonFiles(join(profileDirectory, 'ledger-balances'));
}

function jsonFiles(directory: string): MappingStore & BalanceStore {
  const pathOf = (fingerprint: string) => join(directory, `${fingerprint}.json`);
  return {
    // A file that cannot be read counts as missing. The import then asks for the columns again, or compares no balances.
    find: (fingerprint) => readFile(pathOf(fingerprint), 'utf8').catch(() => undefined),
    save: (fingerprint, text) => writeFileAtomically(pathOf(fingerprint), `${text}\n`),
  };
}
