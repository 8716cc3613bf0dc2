import type { Command } from 'commander';
import { NotLoggedInError } from '../../cli-error.js';
import { addCommand, type Cli } from '../add-command.js';
import { endSession } from './end-session.js';

/** `centavo logout`: ends the session on the server and forgets it here. */
export function addLogout(program: Command, cli: Cli): void {
  addCommand(program, cli, {
    usage: 'logout',
    summary: 'End the session of the profile, on the server and here',
    examples: ['centavo logout', 'centavo logout --profile work'],
    act: async (invocation) => {
      const baseUrl = await endSession(invocation, invocation);
      if (baseUrl !== undefined) {
        invocation.printer.note(`Logged out of ${baseUrl}.`);
        return;
      }
      throw new NotLoggedInError(
        `The profile ${invocation.profileName} has no session.`,
        '"centavo profiles list" shows those that have one.',
      );
    },
  });
}
