import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import type { Profile } from '../../config/profiles.js';
import { requireSecretStore, requireUrl } from '../../config/settings.js';
import { defineCommand, type Cli } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { printIfDryRun } from '../shared/dry-run.js';

/** `centavo profiles set`: no setting is a secret, because the command line can be read by every user of a machine. */
export function addProfilesSet(profiles: Command, cli: Cli): void {
  defineCommand<WriteFlags>(profiles, cli, {
    usage: 'set <setting> <value>',
    summary: `Keep a setting in the profile (${Object.keys(settings).join(', ')}); an empty value takes it out`,
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
          `Use one of ${Object.keys(settings).join(', ')}; "centavo login" keeps a session.`,
        );
      }
      const { field, read } = known;
      const settled = value === '' ? undefined : read(value);
      const state = settled === undefined ? 'unset' : settled;
      if (await printIfDryRun(context, flags, { profile: profileName, change: `${setting} is ${state}` })) return;
      await store.update(({ [field]: _, ...rest }) => (settled === undefined ? rest : { ...rest, [field]: settled }));
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
