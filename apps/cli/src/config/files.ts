import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';
import { UsageError } from '../errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the directory of all files that the program stores: `$XDG_CONFIG_HOME/centavo` or, if the variable is not set, the
 * usual directory for the program's configuration on this system. `XDG_CONFIG_HOME` applies on every system; a relative path
 * in it is ignored, as the XDG specification requires.
 * @source docs/contract.md, section 11
 */
export function configDirectory(env: Environment): string {
  const home = env.XDG_CONFIG_HOME;
  return home !== undefined && isAbsolute(home) ? join(home, 'centavo') : envPaths('centavo', { suffix: '' }).config;
}

/**
 * Returns the directory of one profile, `profiles/<name>` in {@link configDirectory}.
 * @throws UsageError (exit 2) for an invalid name. A valid name has no path separator and is not `..`, so that the result is
 *   always inside `profiles`
 */
export function profileDirectory(env: Environment, profileName: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(profileName)) {
    throw new UsageError(
      `"${profileName}" is not a valid profile name.`,
      'Begin with a letter or a digit. Use at most 64 letters, digits, dots, hyphens and underscores.',
    );
  }
  return join(configDirectory(env), 'profiles', profileName);
}

/**
 * Replaces a file in one step. Only its owner can read the new file (mode 0600); missing directories are created with mode
 * 0700. After a crash, the file contains the complete old or the complete new text. The new text is on the disk before it
 * replaces the old text, because the new text may contain a refresh token, which cannot be recovered if it is lost.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
