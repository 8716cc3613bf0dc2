import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { UsageError } from '../cli-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The directory of everything that is kept between commands: `$XDG_CONFIG_HOME/centavo`, or where the system keeps
 * configuration. `XDG_CONFIG_HOME` counts on every system (contract, section 11); a relative one is ignored, as its
 * specification says.
 */
export function configDirectory(env: Environment): string {
  const home = env.XDG_CONFIG_HOME;
  return home !== undefined && isAbsolute(home) ? join(home, 'centavo') : envPaths('centavo', { suffix: '' }).config;
}

/**
 * The directory of one profile, `profiles/<name>` in {@link configDirectory}.
 * @throws UsageError (exit 2) for a name that could leave the directory
 */
export function profileDirectory(env: Environment, profileName: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(profileName)) {
    throw new UsageError(
      `"${profileName}" cannot name a profile.`,
      'Use letters, digits, points, hyphens, underscores.',
    );
  }
  return join(configDirectory(env), 'profiles', profileName);
}
