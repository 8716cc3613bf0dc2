import type { FinancialClient } from '@centavo/sdk';
import { profileDirectory } from '../../config/files.js';
import { connect, type Connection } from '../../client/connect.js';
import { findUsedProfile, ProfileStore } from '../../config/profiles.js';
import { readSecret, type Io, consumedStdin } from '../../io.js';
import {
  type GlobalFlags,
  requireOutputFormat,
  resolveSettings,
  type Settings,
  type SettingSources,
  type TracedSetting,
  traceProfileName,
} from '../../config/settings.js';
import { SessionVault } from '../../config/session.js';
import { type Prompt, withPlainQuestions } from '../../ui/prompt.js';
import { Printer } from '../../ui/printer.js';
import { isUuid, requireTrackerId } from './resolve-id.js';

/** One run of one command: its settings, its way to the API, and where its results go. */
export interface CommandContext {
  readonly io: Io;
  readonly settings: Settings;
  /** What the settings were made from. */
  readonly sources: SettingSources;
  readonly profileName: string;
  readonly tracedProfileName: TracedSetting<string>;
  readonly store: ProfileStore;
  readonly vault: SessionVault;
  readonly printer: Printer;
  readonly prompt: Prompt;
  /** Whether the bar of long work stays away. */
  readonly isQuiet: boolean;
  /** Made when it is first asked for, so that a command that needs no server needs no settings for one. */
  readonly connection: Connection;
  /** The client, acting in the tracker that the settings name; a name costs one request. */
  clientInTracker(): Promise<FinancialClient>;
  /** The key of the write that was sent last and is not yet answered, for the message after Ctrl-C. */
  pendingKey: string | undefined;
  /** The method of the request that was sent last, by which a read that failed is told from a write. */
  lastMethod: string | undefined;
}

/**
 * Settles everything that a command needs before it begins.
 * @throws UsageError (exit 2) for a malformed setting or a damaged profile
 */
export async function createContext(outside: Io, flags: GlobalFlags): Promise<CommandContext> {
  const { env, clock } = outside;
  const tracedProfileName = traceProfileName(flags, env, await findUsedProfile(env));
  const profileName = tracedProfileName.value;
  const store = new ProfileStore(profileDirectory(env, profileName), clock);
  const vault = new SessionVault(store, outside.openKeychain);
  const tokenOfStdin = flags.tokenStdin === true ? (await readSecret(outside.stdin, 'token')).trim() : undefined;
  const io = flags.tokenStdin === true ? { ...outside, stdin: consumedStdin() } : outside;
  const sources = { flags, env, profile: await store.read(), tokenOfStdin };
  const settings = resolveSettings(sources);
  const fetchAndRemember: Io['fetch'] = (url, init) => {
    context.lastMethod = init?.method ?? 'GET';
    context.pendingKey = new Headers(init?.headers).get('idempotency-key') ?? undefined;
    return io.fetch(url, init);
  };
  let connection: Connection | undefined;
  const connectOnce = () => {
    connection ??= connect(settings, vault, { ...io, fetch: fetchAndRemember });
    return connection;
  };
  const isQuiet = flags.quiet === true;
  const prompt = withPlainQuestions(io.prompt);
  const context: CommandContext = {
    io,
    settings,
    sources,
    profileName,
    tracedProfileName,
    store,
    vault,
    isQuiet,
    printer: new Printer(io, {
      format: requireOutputFormat(flags),
      noColor: flags.color === false,
      quiet: isQuiet,
    }),
    prompt: { ...prompt, isInteractive: prompt.isInteractive && flags.input !== false },
    pendingKey: undefined,
    lastMethod: undefined,
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
  return context;
}
