import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { profileDirectory } from '../../config/files.js';
import { deleteProfile, ProfileStore } from '../../config/profiles.js';
import { SessionVault } from '../../config/session.js';
import { defineCommand, type Cli } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { endSession } from '../session/logout.js';
import { printIfDryRun } from '../shared/dry-run.js';
import { requireProfile } from './use.js';

interface DeleteFlags extends WriteFlags {
  readonly yes?: boolean;
}

/** `centavo profiles delete`: its session ends on the server too, as far as that can be reached. */
export function addProfilesDelete(profiles: Command, cli: Cli): void {
  defineCommand<DeleteFlags>(profiles, cli, {
    usage: 'delete <profile>',
    summary: 'Delete a profile with its settings, saved mappings and session',
    examples: ['centavo profiles delete work --yes'],
    writes: 'local',
    options: (command) => command.option('--yes', 'delete it without asking'),
    act: async (context, flags, [name = '']) => {
      const { io, prompt, printer } = context;
      const { env, clock, openKeychain } = io;
      await requireProfile(env, name);
      const change = 'is deleted with its settings, saved mappings and session';
      if (await printIfDryRun(context, flags, { profile: name, change })) return;
      if (flags.yes !== true) {
        if (!prompt.isInteractive) throw new UsageError('Nobody can be asked here, and --yes is missing.', 'Add --yes.');
        if (!(await prompt.confirm(`Delete the profile ${name} with everything in it?`))) return;
      }
      const store = new ProfileStore(profileDirectory(env, name), clock);
      // A server that is gone must not keep a profile alive; what it means for the session has been said.
      await endSession(context, { store, vault: new SessionVault(store, openKeychain) }).catch(() => undefined);
      await deleteProfile(env, name);
      printer.note(`The profile ${name} is deleted.`);
    },
  });
}
