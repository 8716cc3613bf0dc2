import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { UsageError } from '../cli-error.js';

/**
 * The directory of one profile: `$XDG_CONFIG_HOME/centavo/profiles/<name>`, or where the system keeps configuration.
 * `XDG_CONFIG_HOME` counts on every system (contract, section 11); a relative one is ignored, as its specification says.
 *
 * @throws UsageError (exit 2) for a name that could leave the directory
 */
export function profileDirectory(env: Readonly<Record<string, string | undefined>>, profileName: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(profileName)) {
    throw new UsageError(
      `"${profileName}" cannot name a profile.`,
      'Use letters, digits, points, hyphens, underscores.',
    );
  }
  const home = env.XDG_CONFIG_HOME;
  const root =
    home !== undefined && isAbsolute(home) ? join(home, 'centavo') : envPaths('centavo', { suffix: '' }).config;
  return join(root, 'profiles', profileName);
}
