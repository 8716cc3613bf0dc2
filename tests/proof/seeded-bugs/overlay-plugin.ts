import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns a plugin that loads files from the folder that `CENTAVO_SOURCE_OVERLAY` names, instead of the sources with the same
 * relative paths. Without this variable, returns no plugin. The tests of seeded bugs use the plugin.
 */
export function sourceOverlay(): Plugin[] {
  const folder = process.env.CENTAVO_SOURCE_OVERLAY;
  if (folder === undefined) return [];
  return [
    {
      name: 'source-overlay',
      enforce: 'pre',
      load(id) {
        const replacement = join(folder, relative(repository, id));
        return existsSync(replacement) ? readFileSync(replacement, 'utf8') : undefined;
      },
    },
  ];
}
