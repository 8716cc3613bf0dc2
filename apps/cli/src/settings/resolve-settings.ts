import { UsageError } from '../cli-error.js';
import { type OutputFormat, outputFormats } from '../terminal/printer.js';
import type { Profile } from './profile-store.js';

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
}

export interface Settings {
  readonly baseUrl: string;
  /** A token from the environment; it wins over the profile's session. */
  readonly token: string | undefined;
  /** An id or a name; undefined lets the server choose. */
  readonly tracker: string | undefined;
  /** How long one attempt may take. */
  readonly timeoutMs: number | undefined;
}

/** Where the API is when nobody says otherwise. Source: contract, the head of the file. */
const baseUrlDefault = 'http://127.0.0.1:8080/v1/financial';

/**
 * Settles each setting from flag, then environment, then profile, then default; an empty variable counts as unset.
 * Source: contract, section 11.
 * @throws UsageError (exit 2) for a malformed base URL or timeout
 */
export function resolveSettings(
  flags: GlobalFlags,
  env: Readonly<Record<string, string | undefined>>,
  profile: Profile,
): Settings {
  return {
    baseUrl: requireUrl(flags.baseUrl ?? variable(env, 'CENTAVO_BASE_URL') ?? profile.baseUrl ?? baseUrlDefault),
    token: variable(env, 'CENTAVO_TOKEN')?.trim(),
    tracker: flags.tracker ?? variable(env, 'CENTAVO_TRACKER') ?? profile.trackerId,
    timeoutMs: flags.timeout === undefined ? undefined : requireSeconds(flags.timeout) * 1000,
  };
}

/** The profile that flag or environment name, or `default`. */
export function chooseProfileName(flags: GlobalFlags, env: Readonly<Record<string, string | undefined>>): string {
  return flags.profile ?? variable(env, 'CENTAVO_PROFILE') ?? 'default';
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

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/** One spelling for each server, with or without the API's path at its end: a session belongs to the URL it was made at. */
function requireUrl(text: string): string {
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
