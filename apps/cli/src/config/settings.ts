import { UsageError } from '../errors.js';
import { type OutputFormat, outputFormats } from '../ui/printer.js';
import { type Profile, type SecretStore, secretStores } from './profiles.js';

/** The global flags as commander gives them. */
export interface GlobalFlags {
  readonly baseUrl?: string;
  readonly tracker?: string;
  readonly profile?: string;
  readonly output?: string;
  /** commander's spelling of `--no-color`: false when it was given. */
  readonly color?: boolean;
  readonly quiet?: boolean;
  /** commander's spelling of `--no-input`: false when it was given. */
  readonly input?: boolean;
  readonly timeout?: string;
  /** The token is on standard input; it is read before the settings are resolved. */
  readonly tokenStdin?: boolean;
}

export interface Settings {
  readonly baseUrl: string;
  /** A token from standard input or the environment; it wins over the profile's session. */
  readonly token: string | undefined;
  /** An id or a name; undefined lets the server choose. */
  readonly tracker: string | undefined;
  /** How long one attempt may take. */
  readonly timeoutMs: number | undefined;
  /** Where a login keeps its session. */
  readonly secretStore: SecretStore;
}

/** A setting as it was said, and by whom: `--tracker`, `CENTAVO_TRACKER`, `profile`, `default`. */
export interface TracedSetting<Value extends string | undefined = string | undefined> {
  readonly value: Value;
  readonly origin: string;
}

/** Where the API is when nobody says otherwise. Source: contract, the head of the file. */
const baseUrlDefault = 'http://127.0.0.1:8080/v1/financial';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the settings of one run come from. */
export interface SettingSources {
  readonly flags: GlobalFlags;
  readonly env: Environment;
  readonly profile: Profile;
  /** What was read for --token-stdin. */
  readonly tokenOfStdin?: string | undefined;
}

/**
 * Settles each setting from flag, then environment, then profile, then default; an empty variable counts as unset.
 * Source: contract, section 11.
 * @throws UsageError (exit 2) for a malformed base URL, timeout or secret store
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

/** The settings as they were said, not yet judged, each with its origin. */
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

/** The profile that flag or environment name, else the one that `profiles use` chose, else `default`. */
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
  said: readonly (readonly [origin: string, value: string | undefined])[],
  otherwise: Default,
): TracedSetting<string | Default> {
  for (const [origin, value] of said) if (value !== undefined) return { value, origin };
  return { value: otherwise, origin: 'default' };
}

/**
 * The format that `-o` names, `table` without it.
 * @throws UsageError (exit 2) for another word
 */
export function requireOutputFormat(flags: GlobalFlags): OutputFormat {
  const format = outputFormats.find((name) => name === (flags.output ?? 'table'));
  if (format !== undefined) return format;
  throw new UsageError(`--output ${flags.output} is not known.`, `Use one of ${outputFormats.join(', ')}.`);
}

function variable(env: Environment, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/** One spelling for each server, with or without the API's path at its end: a session belongs to the URL it was made at. */
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
  throw new UsageError('The base URL is not an http or https URL.', 'Use one such as https://host/v1/financial.');
}

function requireSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && seconds > 0) return seconds;
  throw new UsageError(`--timeout "${text}" is not a number of seconds.`, 'Use one such as 30 or 2.5.');
}

/** @throws UsageError (exit 2) for another word */
export function requireSecretStore(text: string): SecretStore {
  const secretStore = secretStores.find((name) => name === text);
  if (secretStore !== undefined) return secretStore;
  throw new UsageError(`The secret store "${text}" is not known.`, `Use one of ${secretStores.join(', ')}.`);
}
