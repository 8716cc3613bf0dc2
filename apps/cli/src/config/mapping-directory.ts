import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MappingStore } from '@centavo/statement-reader';
import { writeFileAtomically } from './files.js';

/** Saved CSV mappings of a profile: `mappings/<fingerprint>.json` in its directory. */
export function mappingDirectory(profileDirectory: string): MappingStore {
  const pathOf = (fingerprint: string) => join(profileDirectory, 'mappings', `${fingerprint}.json`);
  return {
    // A mapping that cannot be read is as good as none: the columns are then asked for again.
    find: (fingerprint) => readFile(pathOf(fingerprint), 'utf8').catch(() => undefined),
    save: (fingerprint, text) => writeFileAtomically(pathOf(fingerprint), `${text}\n`),
  };
}
