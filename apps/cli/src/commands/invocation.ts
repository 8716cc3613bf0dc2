import type { FinancialClient } from '@centavo/sdk';
import { profileDirectory } from '../settings/config-directory.js';
import { type Connection, connect } from '../settings/connect.js';
import { ProfileStore } from '../settings/profile-store.js';
import {
  chooseProfileName,
  type GlobalFlags,
  requireOutputFormat,
  resolveSettings,
  type Settings,
} from '../settings/resolve-settings.js';
import type { Surroundings } from '../surroundings.js';
import type { Asker } from '../terminal/asker.js';
import { Printer } from '../terminal/printer.js';
import { isUuid, requireTrackerId } from './record-ids.js';

/** One run of one command: its settings, its way to the API, and where its results go. */
export interface Invocation {
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly profileName: string;
  readonly store: ProfileStore;
  readonly printer: Printer;
  readonly asker: Asker;
  /** Whether the bar of long work stays away. */
  readonly isQuiet: boolean;
  /** Made when it is first asked for, so that a command that needs no server needs no settings for one. */
  readonly connection: Connection;
  /** The client, acting in the tracker that the settings name; a name costs one request. */
  clientInTracker(): Promise<FinancialClient>;
  /** The key of a write that is about to be sent, for the message after Ctrl-C. */
  pendingKey: string | undefined;
}

/**
 * Settles everything that a command needs before it begins.
 * @throws UsageError (exit 2) for a malformed setting or a damaged profile
 */
export async function beginInvocation(surroundings: Surroundings, flags: GlobalFlags): Promise<Invocation> {
  const { env, clock } = surroundings;
  const profileName = chooseProfileName(flags, env);
  const store = new ProfileStore(profileDirectory(env, profileName), clock);
  const settings = resolveSettings(flags, env, await store.read());
  let connection: Connection | undefined;
  const connectOnce = () => {
    connection ??= connect(settings, store, surroundings);
    return connection;
  };
  const isQuiet = flags.quiet === true;
  return {
    surroundings,
    settings,
    profileName,
    store,
    isQuiet,
    printer: new Printer(surroundings, {
      format: requireOutputFormat(flags),
      noColor: flags.color === false,
      quiet: isQuiet,
    }),
    asker: flags.input === false ? { ...surroundings.asker, canAsk: false } : surroundings.asker,
    pendingKey: undefined,
    get connection() {
      return connectOnce();
    },
    async clientInTracker() {
      const { client } = connectOnce();
      if (settings.tracker === undefined) return client;
      const isId = isUuid(settings.tracker);
      return client.forTracker(isId ? settings.tracker : await requireTrackerId(client, settings.tracker));
    },
  };
}
