import { isAuthenticationError } from '@centavo/sdk';
import type { Command } from 'commander';
import { connect } from '../../client/connect.js';
import type { ProfileStore } from '../../config/profiles.js';
import type { SessionVault } from '../../config/session.js';
import { NotLoggedInError, withAdvice } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import type { WriteFlags } from '../shared/flags.js';

/** `centavo logout`: ends the session on the server and removes it from the profile. */
export function addLogout(program: Command, cli: Cli): void {
  defineCommand<WriteFlags>(program, cli, {
    usage: 'logout',
    summary: 'End the session of the profile, on the server and on this machine',
    examples: ['centavo logout', 'centavo logout --profile work'],
    writes: 'local',
    act: async (context, flags) => {
      const { store, printer, profileName } = context;
      const { session } = await store.read();
      if (session === undefined) {
        throw new NotLoggedInError(
          `The profile ${profileName} has no session.`,
          '"centavo profiles list" shows which profiles have a session.',
        );
      }
      const change = `ends the session of ${session.email} at ${session.baseUrl}, and removes it from this machine`;
      if (await printIfDryRun(context, flags, { profile: profileName, change })) return;
      const remedy = 'You are logged out on this machine.';
      await withAdvice(endSession(context, context), () => ({ remedy }));
      printer.note(`Logged out of ${session.baseUrl}.`);
    },
  });
}

/**
 * Ends the session of a profile on the server that created the session, regardless of --base-url and of a token in the
 * environment. Removes the session from this machine even if the request fails. Does nothing without a session.
 * @throws the error of the request, unless the error means that the session has already ended. After a thrown error, the
 *   session may remain valid on the server
 */
export async function endSession(
  { settings, io, printer }: CommandContext,
  { store, vault }: { store: ProfileStore; vault: SessionVault },
): Promise<void> {
  const { session } = await store.read();
  if (session === undefined) return;
  const sessionSettings = { ...settings, baseUrl: session.baseUrl, token: undefined };
  try {
    await connect(sessionSettings, vault, io).client.identity.endSession();
  } catch (error) {
    const hasEnded = isAuthenticationError(error) || error instanceof NotLoggedInError;
    if (!hasEnded) {
      printer.warn(
        'The session was removed from this machine. If the server did not end it, it is valid until it expires.',
      );
      throw error;
    }
  } finally {
    await vault.forget();
  }
}
