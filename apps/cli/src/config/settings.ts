import { UsageError } from '../errors.js';
import { type OutputFormat, outputFormats } from '../ui/printer.js';
import { type Profile, type SecretStore, secretStores } from './profiles.js';

/** The global flags as commander returns them. */
export interface GlobalFlags {
  readonly baseUrl?: string;
  readonly tracker?: string;
  readonly profile?: string;
  readonly output?: string;
  /** False for `--no-color`. */
  readonly color?: boolean;
  readonly quiet?: boolean;
  /** False for `--no-input`. */
  readonly input?: boolean;
  readonly timeout?: string;
  /** True if the token is on standard input. The token is read before the settings are resolved. */
  readonly tokenStdin?: boolean;
}

export interface Settings {
  readonly baseUrl: string;
  /** A token from standard input or the environment; it takes precedence over the profile's session. */
  readonly token: string | undefined;
  /** The id or name of the tracker; if undefined, the server chooses the tracker. */
  readonly tracker: string | undefined;
  /** The timeout of a call; undefined for the default of the SDK. */
  readonly timeoutMs: number | undefined;
  /** The store in which a login saves the session. */
  readonly secretStore: SecretStore;
}

/** A setting with its origin, such as `--tracker`, `CENTAVO_TRACKER`, `profile` or `default`. */
export interface TracedSetting<Value extends string | undefined = string | undefined> {
  readonly value: Value;
  readonly origin: string;
}

/** The default base URL of the API. Source: docs/contract.md, introduction. */
const baseUrlDefault = 'http://127.0.0.1:8080/v1/financial';

type Environment = Readonly<Record<string, string | undefined>>;

/** The sources of the settings of one run. */
export interface SettingSources {
  readonly flags: GlobalFlags;
  readonly env: Environment;
  readonly profile: Profile;
  /** The token that was read for --token-stdin. */
  readonly tokenOfStdin?: string | undefined;
}

/**
 * Resolves each setting from flag, environment, profile and default, in this order; an empty variable counts as unset.
 * @throws UsageError (exit 2) for a malformed base URL, timeout or secret store
 * @source docs/contract.md, section 11
 */
export function resolveSettings(sources: SettingSources): Settings {
  const traced = traceSettings(sources);
  return {
    baseUrl: requireUrl(traced.baseUrl.value),
    token: traced.token.value,
    tracker: traced.tracker.value,
    timeoutMs: traced.timeout.origin === 'default' ? undefined : requireSeconds(traced.timeout.value) * 1000,
    secretStore: requireSecretStore(traced.secretStore.value),
  };
}

/** Returns the settings with their origins, not yet validated. */
export function traceSettings({ flags, env, profile, tokenOfStdin }: SettingSources) {
  return {
    baseUrl: firstSet(
      [
        ['--base-url', flags.baseUrl],
        ['CENTAVO_BASE_URL', variable(env, 'CENTAVO_BASE_URL')],
        ['profile', profile.baseUrl],
      ],
      baseUrlDefault,
    ),
    tracker: firstSet(
      [
        ['--tracker', flags.tracker],
        ['CENTAVO_TRACKER', variable(env, 'CENTAVO_TRACKER')],
        ['profile', profile.trackerId],
      ],
      undefined,
    ),
    token: firstSet(
      [
        ['--token-stdin', tokenOfStdin],
        ['CENTAVO_TOKEN', variable(env, 'CENTAVO_TOKEN')?.trim()],
      ],
      undefined,
    ),
    secretStore: firstSet(
      [
        ['CENTAVO_SECRET_STORE', variable(env, 'CENTAVO_SECRET_STORE')],
        ['profile', profile.secretStore],
      ],
      'keychain',
    ),
    output: firstSet([['--output', flags.output]], 'table'),
    timeout: firstSet([['--timeout', flags.timeout]], '30'),
  };
}

/**
 * Returns the name of the profile, and its origin. The name comes from the flag, the environment or the last `profiles use`, in this
 * order. If none of them names a profile, the name is `default`.
 */
export function traceProfileName(
  flags: GlobalFlags,
  env: Environment,
  usedProfile: string | undefined,
): TracedSetting<string> {
  return firstSet(
    [
      ['--profile', flags.profile],
      ['CENTAVO_PROFILE', variable(env, 'CENTAVO_PROFILE')],
      ['profiles use', usedProfile],
    ],
    'default',
  );
}

function firstSet<Default extends string | undefined>(
  candidates: readonly (readonly [origin: string, value: string | undefined])[],
  fallback: Default,
): TracedSetting<string | Default> {
  for (const [origin, value] of candidates) if (value !== undefined) return { value, origin };
  return { value: fallback, origin: 'default' };
}

/**
 * Returns the format that `-o` names, by default `table`.
 * @throws UsageError (exit 2) for an unknown format
 */
export function requireOutputFormat(flags: GlobalFlags): OutputFormat {
  const format = outputFormats.find((name) => name === (flags.output ?? 'table'));
  if (format !== undefined) return format;
  throw new UsageError(`--output ${flags.output} is not valid.`, `Use one of ${outputFormats.join(', ')}.`);
}

function variable(env: Environment, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/**
 * Returns the base URL in a normalized form, and adds the API's path if it is missing. A session is used only if it was
 * created at the same normalized URL.
 * @throws UsageError (exit 2) when the text is not an http or https URL, or has a user, a password, a query or a fragment
 */
export function requireUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  ) {
    const root = url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1\/financial$/, '');
    return `${root}/v1/financial`;
  }
  throw new UsageError(
    'The base URL is not an http or https URL, or has a user, a password, a query or a fragment.',
    'Use a URL such as https://host/v1/financial.',
  );
}

function requireSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && seconds > 0) return seconds;
  throw new UsageError(`--timeout "${text}" is not a valid number of seconds.`, 'Use a number such as 30 or 2.5.');
}

/** Returns the secret store with this name. @throws UsageError (exit 2) for an unknown store */
export function requireSecretStore(text: string): SecretStore {
  const secretStore = secretStores.find((name) => name === text);
  if (secretStore !== undefined) return secretStore;
  throw new UsageError(`The secret store "${text}" is not valid.`, `Use one of ${secretStores.join(', ')}.`);
}
