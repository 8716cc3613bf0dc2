import type { Command } from 'commander';
import { listProfileNames, useProfile } from '../../config/profiles.js';
import { UnknownNameError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import type { WriteFlags } from '../shared/flags.js';

export function addProfilesUse(profiles: Command, cli: Cli): void {
  defineCommand<WriteFlags>(profiles, cli, {
    usage: 'use <profile>',
    summary: 'Use this profile from now on, unless --profile or CENTAVO_PROFILE is set',
    examples: ['centavo profiles use work'],
    writes: 'local',
    act: async (context, flags, [name = '']) => {
      const { io, printer } = context;
      await requireProfile(io.env, name);
      if (await printIfDryRun(context, flags, { profile: name, change: 'is used from now on' })) return;
      await useProfile(io.env, name);
      printer.note(`The profile ${name} is used from now on.`);
      if ((io.env.CENTAVO_PROFILE ?? '') !== '') printer.warn('CENTAVO_PROFILE is set and takes precedence.');
    },
  });
}

/** Checks that a profile exists. @throws UnknownNameError (exit 5) when the profile does not exist */
export async function requireProfile(env: Readonly<Record<string, string | undefined>>, name: string): Promise<void> {
  const names = await listProfileNames(env);
  if (names.includes(name)) return;
  throw new UnknownNameError(
    `There is no profile "${name}".`,
    names.length === 0
      ? `"centavo login --profile ${name}" creates it.`
      : `Profiles: ${names.join(', ')}. "centavo login --profile ${name}" creates it.`,
  );
}
