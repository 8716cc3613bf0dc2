import type { Command } from 'commander';
import { NotLoggedInError, withAdvice } from '../../errors.js';
import { addCommand, type Cli, type WriteFlags } from '../shared/define.js';
import { tellIfDryRun } from '../shared/dry-run.js';
import { endSession } from './end-session.js';

/** `centavo logout`: ends the session on the server and forgets it here. */
export function addLogout(program: Command, cli: Cli): void {
  addCommand<WriteFlags>(program, cli, {
    usage: 'logout',
    summary: 'End the session of the profile, on the server and here',
    examples: ['centavo logout', 'centavo logout --profile work'],
    writes: 'local',
    act: async (invocation, flags) => {
      const { store, printer, profileName } = invocation;
      const { session } = await store.read();
      if (session === undefined) {
        throw new NotLoggedInError(
          `The profile ${profileName} has no session.`,
          '"centavo profiles list" shows those that have one.',
        );
      }
      const change = `the session of ${session.email} at ${session.baseUrl} is ended there and forgotten here`;
      if (await tellIfDryRun(invocation, flags, { profile: profileName, change })) return;
      const remedy = 'Nothing is left to do here.';
      await withAdvice(endSession(invocation, invocation), () => ({ remedy }));
      printer.note(`Logged out of ${session.baseUrl}.`);
    },
  });
}
