import type { Command } from 'commander';
import type { Profile } from '../../config/profiles.js';
import { requireSecretStore, requireUrl } from '../../config/settings.js';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import type { WriteFlags } from '../shared/flags.js';

/** `centavo profiles set`: accepts no secrets, because every user of a machine can read command lines. */
export function addProfilesSet(profiles: Command, cli: Cli): void {
  defineCommand<WriteFlags>(profiles, cli, {
    usage: 'set <setting> <value>',
    summary: `Store a setting in the profile (${Object.keys(settings).join(', ')}); an empty value removes it`,
    examples: [
      'centavo profiles set base-url https://money.example.com',
      'centavo profiles set tracker Household --profile work',
      'centavo profiles set secret-store file',
      'centavo profiles set tracker ""',
    ],
    writes: 'local',
    act: async (context, flags, [setting = '', value = '']) => {
      const { store, printer, profileName } = context;
      const known = Object.hasOwn(settings, setting) ? settings[setting] : undefined;
      if (known === undefined) {
        throw new UsageError(
          `A profile has no setting "${setting}".`,
          `Use one of ${Object.keys(settings).join(', ')}. To store a session, run "centavo login".`,
        );
      }
      const { field, read } = known;
      const parsed = value === '' ? undefined : read(value);
      const state = parsed === undefined ? 'unset' : parsed;
      if (await printIfDryRun(context, flags, { profile: profileName, change: `${setting} is ${state}` })) return;
      await store.update(({ [field]: _, ...rest }) => (parsed === undefined ? rest : { ...rest, [field]: parsed }));
      printer.note(`${setting} of the profile ${profileName} is ${state}.`);
    },
  });
}

interface ProfileSetting {
  readonly field: keyof Profile;
  read(value: string): string;
}

const settings: Readonly<Record<string, ProfileSetting>> = {
  'base-url': { field: 'baseUrl', read: requireUrl },
  tracker: { field: 'trackerId', read: (value) => value },
  'secret-store': { field: 'secretStore', read: requireSecretStore },
};
