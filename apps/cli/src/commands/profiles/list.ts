import type { Command } from 'commander';
import { profileDirectory } from '../../config/files.js';
import { listProfileNames, ProfileStore } from '../../config/profiles.js';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';

interface ListedProfile {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly baseUrl: string | null;
  readonly tracker: string | null;
  readonly email: string | null;
}

export function addProfilesList(profiles: Command, cli: Cli): void {
  defineCommand(profiles, cli, {
    usage: 'list',
    summary: 'List the profiles of this machine; the current profile is marked',
    examples: ['centavo profiles list', 'centavo profiles list -o json'],
    act: async ({ io, profileName, printer }) => {
      const { env, clock } = io;
      const rows: ListedProfile[] = [];
      for (const name of await listProfileNames(env)) {
        const { baseUrl, trackerId, session } = await new ProfileStore(profileDirectory(env, name), clock).read();
        rows.push({
          name,
          isCurrent: name === profileName,
          baseUrl: baseUrl ?? null,
          tracker: trackerId ?? null,
          email: session?.email ?? null,
        });
      }
      await printer.printRecords(rows, view);
      if (rows.length === 0) printer.note('There is no profile yet. "centavo login" creates one.');
    },
  });
}

const view: RecordView<ListedProfile> = {
  columns: [
    { header: 'CURRENT', value: ({ isCurrent }) => (isCurrent ? '*' : '') },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'USER', value: ({ email }) => email, flexible: true },
    { header: 'SERVER', value: ({ baseUrl }) => baseUrl, flexible: true },
    { header: 'TRACKER', value: ({ tracker }) => tracker },
  ],
  fields: ['name', 'isCurrent', 'baseUrl', 'tracker', 'email'],
};
