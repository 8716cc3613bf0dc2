import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configDirectory, profileDirectory } from './config-directory.js';
import { writeFileAtomically } from './write-file-atomically.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The names of all profiles that have a directory, sorted. */
export async function listProfileNames(env: Environment): Promise<readonly string[]> {
  const entries = await readdir(join(configDirectory(env), 'profiles'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The profile that `profiles use` chose, or undefined. */
export async function findUsedProfile(env: Environment): Promise<string | undefined> {
  const name = (await readFile(usedProfilePath(env), 'utf8').catch(() => '')).trim();
  return name === '' ? undefined : name;
}

/** Makes a profile the one that is used where neither flag nor environment name one. */
export async function useProfile(env: Environment, profileName: string): Promise<void> {
  await writeFileAtomically(usedProfilePath(env), `${profileName}\n`);
}

/** Deletes a profile with everything in it; whoever used it falls back to `default`. */
export async function deleteProfile(env: Environment, profileName: string): Promise<void> {
  await rm(profileDirectory(env, profileName), { recursive: true, force: true });
  if ((await findUsedProfile(env)) === profileName) await rm(usedProfilePath(env), { force: true });
}

function usedProfilePath(env: Environment): string {
  return join(configDirectory(env), 'used-profile');
}
