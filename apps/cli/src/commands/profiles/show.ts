import type { Command } from 'commander';
import type { Profile } from '../../config/profiles.js';
import { type TracedSetting, traceSettings } from '../../config/settings.js';
import type { Column } from '../../ui/table.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';

interface ShowFlags {
  readonly origin?: boolean;
}

interface ShownSetting {
  readonly setting: string;
  readonly value: string | null;
  readonly origin: string;
}

/** `centavo profiles show`: prints the current settings, also those from flags and environment variables, without secrets. */
export function addProfilesShow(profiles: Command, cli: Cli): void {
  defineCommand<ShowFlags>(profiles, cli, {
    usage: 'show',
    summary: 'Show the settings in use, without secrets; with --origin, also the source of each setting',
    examples: [
      'centavo profiles show',
      'centavo profiles show --origin',
      'centavo profiles show --profile work -o json',
    ],
    options: (command) =>
      command.option(
        '--origin',
        'show the source of each setting, such as a flag, an environment variable or the profile',
      ),
    act: async (context, flags) => {
      const columns: readonly Column<ShownSetting>[] = [
        { header: 'SETTING', value: ({ setting }) => setting },
        { header: 'VALUE', value: ({ value }) => value },
        ...(flags.origin === true ? [{ header: 'ORIGIN', value: ({ origin }: ShownSetting) => origin }] : []),
      ];
      await context.printer.printRecords(collectSettings(context), {
        columns,
        fields: ['setting', 'value', 'origin'],
      });
    },
  });
}

function collectSettings({ sources, tracedProfileName }: CommandContext): readonly ShownSetting[] {
  const { baseUrl, tracker, token, secretStore, output, timeout } = traceSettings(sources);
  const shown = (setting: string, { value = undefined, origin }: TracedSetting): ShownSetting => ({
    setting,
    value: value ?? null,
    origin,
  });
  return [
    shown('profile', tracedProfileName),
    shown('base-url', baseUrl),
    shown('tracker', tracker),
    shown('secret-store', secretStore),
    shown('output', output),
    shown('timeout', timeout),
    shown('token', { ...token, value: token.value === undefined ? undefined : '(redacted)' }),
    describeSession(sources.profile),
  ];
}

function describeSession({ session }: Profile): ShownSetting {
  if (session === undefined) return { setting: 'session', value: null, origin: 'default' };
  const secretStore = 'keptIn' in session ? 'keychain' : 'file';
  return {
    setting: 'session',
    value: `${session.email} at ${session.baseUrl} (redacted, in the ${secretStore})`,
    origin: 'profile',
  };
}
