import { isAuthenticationError } from '@centavo/sdk';
import type { Command } from 'commander';
import { NotLoggedInError } from '../../cli-error.js';
import { connect } from '../../settings/connect.js';
import type { Profile } from '../../settings/profile-store.js';
import { addCommand, type Cli } from '../add-command.js';

/** `centavo logout`: ends the session on the server and forgets it here. */
export function addLogout(program: Command, cli: Cli): void {
  addCommand(program, cli, {
    usage: 'logout',
    summary: 'End the session of the profile, on the server and here',
    examples: ['centavo logout', 'centavo logout --profile work'],
    act: async ({ settings, store, surroundings, printer, profileName }) => {
      const profile = await store.read();
      if (profile.session === undefined) throw new NotLoggedInError(`The profile ${profileName} has no session.`);
      // The session's own server, whatever --base-url or a token in the environment say.
      const own = { ...settings, baseUrl: profile.session.baseUrl, token: undefined };
      try {
        await connect(own, store, surroundings).client.identity.endSession();
      } catch (error) {
        const hasEnded = isAuthenticationError(error) || error instanceof NotLoggedInError;
        if (!hasEnded) {
          printer.warn('The session was forgotten here, but the server could not be told: it lives until it expires.');
          await store.update(withoutSession);
          throw error;
        }
      }
      await store.update(withoutSession);
      printer.note(`Logged out of ${own.baseUrl}.`);
    },
  });
}

function withoutSession({ session: _, ...rest }: Profile): Profile {
  return rest;
}
