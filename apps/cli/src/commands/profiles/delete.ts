import type { Command } from 'commander';
import { profileDirectory } from '../../config/files.js';
import { deleteProfile, ProfileStore } from '../../config/profiles.js';
import { SessionVault } from '../../config/session.js';
import { UsageError } from '../../errors.js';
import { endSession } from '../session/logout.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireProfile } from './use.js';

interface DeleteFlags extends WriteFlags {
  readonly yes?: boolean;
}

/** `centavo profiles delete`: also ends the session on the server, if the server can be reached. */
export function addProfilesDelete(profiles: Command, cli: Cli): void {
  defineCommand<DeleteFlags>(profiles, cli, {
    usage: 'delete <profile>',
    summary: 'Delete a profile with everything in it, such as its settings, saved mappings and session',
    examples: ['centavo profiles delete work --yes'],
    writes: 'local',
    options: (command) => command.option('--yes', 'do not ask for confirmation'),
    act: async (context, flags, [name = '']) => {
      const { io, prompt, printer } = context;
      const { env, clock, openKeychain } = io;
      await requireProfile(env, name);
      const change = 'is deleted with everything in it';
      if (await printIfDryRun(context, flags, { profile: name, change })) return;
      if (flags.yes !== true) {
        if (!prompt.isInteractive)
          throw new UsageError(`Deleting the profile ${name} needs a confirmation.`, 'Add --yes.');
        if (!(await prompt.confirm(`Delete the profile ${name} with everything in it?`))) return;
      }
      const store = new ProfileStore(profileDirectory(env, name), clock);
      // An unreachable server must not prevent the deletion; endSession has printed a warning about the session.
      await endSession(context, { store, vault: new SessionVault(store, openKeychain) }).catch(() => undefined);
      await deleteProfile(env, name);
      printer.note(`The profile ${name} is deleted.`);
    },
  });
}
