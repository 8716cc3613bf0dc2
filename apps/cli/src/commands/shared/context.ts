import { isUuid } from '@centavo/contracts/calls';
import type { FinancialClient } from '@centavo/sdk';
import { type Connection, connect } from '../../client/connect.js';
import { profileDirectory } from '../../config/files.js';
import { findUsedProfile, ProfileStore } from '../../config/profiles.js';
import { SessionVault } from '../../config/session.js';
import {
  type GlobalFlags,
  requireOutputFormat,
  resolveSettings,
  type SettingSources,
  type Settings,
  type TracedSetting,
  traceProfileName,
} from '../../config/settings.js';
import { consumedStdin, type Io, readSecret } from '../../io.js';
import { Printer } from '../../ui/printer.js';
import { type Prompt, withPlainQuestions } from '../../ui/prompt.js';
import { requireTrackerId } from './resolve-id.js';

/** Everything that a command needs: settings, connection, printer and prompt. */
export interface CommandContext {
  readonly io: Io;
  readonly settings: Settings;
  readonly sources: SettingSources;
  readonly profileName: string;
  /** The profile name and its origin, such as `--profile` or `CENTAVO_PROFILE`. */
  readonly tracedProfileName: TracedSetting<string>;
  readonly store: ProfileStore;
  readonly vault: SessionVault;
  readonly printer: Printer;
  readonly prompt: Prompt;
  /** Whether `--quiet` hides the progress bar and notes. */
  readonly isQuiet: boolean;
  /**
   * The connection to the server, created at the first access. So commands that send no request work even if, for example,
   * the proxy setting is malformed.
   */
  readonly connection: Connection;
  /**
   * Returns a client whose requests name the tracker of the settings. If the settings contain the tracker's name instead of
   * its id, first asks the server for the id. If the settings contain no tracker, the requests of the client name none.
   */
  clientInTracker(): Promise<FinancialClient>;
  /** The idempotency key of a write whose response has not arrived yet. The message after Ctrl-C names the key. */
  pendingKey: string | undefined;
  /** The method of the last request, to distinguish a failed read from a failed write. */
  lastMethod: string | undefined;
  /** Whether the server has accepted a write of the command. Previews and calls under `/v1/identity` do not count. */
  hasWritten: boolean;
}

/**
 * Returns the context of a command; sends no request.
 * @throws UsageError (exit 2) for a malformed setting, or a profile that cannot be read or is damaged
 */
export async function createContext(processIo: Io, flags: GlobalFlags): Promise<CommandContext> {
  const { env, clock } = processIo;
  const tracedProfileName = traceProfileName(flags, env, await findUsedProfile(env));
  const profileName = tracedProfileName.value;
  const store = new ProfileStore(profileDirectory(env, profileName), clock);
  const vault = new SessionVault(store, processIo.openKeychain);
  const tokenOfStdin = flags.tokenStdin === true ? (await readSecret(processIo.stdin, 'token')).trim() : undefined;
  const io = flags.tokenStdin === true ? { ...processIo, stdin: consumedStdin() } : processIo;
  const sources = { flags, env, profile: await store.read(), tokenOfStdin };
  const settings = resolveSettings(sources);
  const fetchAndRemember: Io['fetch'] = async (url, init) => {
    const method = init?.method ?? 'GET';
    context.lastMethod = method;
    context.pendingKey = new Headers(init?.headers).get('idempotency-key') ?? undefined;
    const response = await io.fetch(url, init);
    const isOfIdentity = String(url).includes('/v1/identity/');
    if (method !== 'GET' && response.ok && !isOfIdentity && !String(url).includes('dryRun=true'))
      context.hasWritten = true;
    return response;
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
    hasWritten: false,
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
