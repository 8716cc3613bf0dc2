import { chmod, stat } from 'node:fs/promises';
import type { Profile, ProfileStore } from './profile-store.js';

/**
 * Takes the rights of others from the profile's file and folder where the file holds the tokens of a session. A copy, a
 * backup or a careless `chmod -R` may have given them; nothing of ours does. Windows keeps its rights elsewhere.
 *
 * @returns what its owner has to be told, once; undefined where everything was right
 */
export async function hideFromOthers(
  store: ProfileStore,
  { profile, platform }: { profile: Profile; platform: NodeJS.Platform },
): Promise<string | undefined> {
  const { session } = profile;
  if (platform === 'win32' || session === undefined || 'keptIn' in session) return undefined;
  const found: string[] = [];
  const commands: string[] = [];
  for (const [path, mode] of [
    [store.directory, 0o700],
    [store.path, 0o600],
  ] as const) {
    const before = await stat(path).then(
      (stats) => stats.mode,
      // Another process has just deleted the profile.
      () => 0,
    );
    if ((before & 0o077) === 0) continue;
    found.push(`${path} (${toOctal(before)})`);
    // Not ours to change, where somebody else owns it: then they have to.
    await chmod(path, mode).catch(() => commands.push(`chmod ${toOctal(mode)} ${path}`));
  }
  if (found.length === 0) return undefined;
  const remedy =
    commands.length === 0
      ? 'That is mended. If others use this machine, end the session with "centavo logout", and log in again.'
      : `Run ${commands.join(' && ')}, and keep others away until then.`;
  return `Others could read the session of this profile: ${found.join(', ')}. ${remedy}`;
}

function toOctal(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`;
}
