import { allScopes } from '@centavo/sdk';
import type { Command } from 'commander';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { findInvitations, noTrackerRemedy } from '../shared/resolve-id.js';
import { describeExpiry, renewalOf } from './describe-expiry.js';
import { loadStatus, type Status } from './load-status.js';

export function addStatus(program: Command, cli: Cli): void {
  defineCommand(program, cli, {
    usage: 'status',
    summary: 'Show server, profile, user, tracker, and the credential with its scopes and its expiry',
    examples: ['centavo status', 'centavo status -o json --profile work'],
    act: async (context) => {
      const { printer, io } = context;
      const nowMs = io.clock.nowMs();
      const { status, trackerRefusal } = await loadStatus(context);
      await printer.printRecord(status, statusView(nowMs));
      const { warning } = describeExpiry(status.credential.expiresAt, nowMs);
      if (warning !== undefined) printer.warn(`The credential ${warning}. ${renewalOf(status.credential.kind)}`);
      if (trackerRefusal !== undefined) printer.warn(`${trackerRefusal.message} ${trackerRefusal.advice.remedy}`);
      else if (status.tracker === null && status.user !== null) printer.note(noTrackerRemedy);
      const invitationCount = status.user === null ? 0 : (await findInvitations(context.connection.client)).length;
      if (invitationCount > 0) {
        const invitations = invitationCount === 1 ? '1 open invitation' : `${invitationCount} open invitations`;
        printer.note(`You have ${invitations}. See "centavo invitations list".`);
      }
    },
  });
}

function statusView(nowMs: number): RecordView<Status> {
  return {
    columns: [
      { header: 'SERVER', value: ({ baseUrl }) => baseUrl },
      { header: 'PROFILE', value: ({ profile }) => profile },
      { header: 'USER', value: ({ user }) => user?.email ?? null },
      { header: 'TOTP', value: ({ user }) => user && (user.totpEnrolled ? 'enrolled' : 'not enrolled') },
      { header: 'TRACKER', value: ({ tracker }) => tracker && `${tracker.name} (${tracker.role}, ${tracker.id})` },
      { header: 'CREDENTIAL', value: ({ credential }) => describeCredential(credential) },
      {
        header: 'SCOPES',
        value: ({ credential: { scopes } }) => (scopes.length === allScopes.length ? 'all' : scopes.join(' ')),
      },
      { header: 'EXPIRES', value: ({ credential }) => describeExpiry(credential.expiresAt, nowMs).text },
    ],
    fields: ['baseUrl', 'profile', 'user', 'credential', 'tracker', 'resolvedBy'],
  };
}

function describeCredential({ kind, name, source }: Status['credential']): string {
  // The server accepted the credential. But it returned no context, so the kind of the credential is unknown.
  if (kind === null) return `a valid key without the scope context:read, or without a tracker, from ${source}`;
  const what = kind === 'session' ? 'session' : `${kind} key${name === null ? '' : ` "${name}"`}`;
  return `${what}, from ${source}`;
}
