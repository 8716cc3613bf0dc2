import { allScopes, type CreateApiKeyInput, type Scope } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { collect, type WriteFlags } from '../shared/flags.js';
import { requireTrackerId } from '../shared/resolve-id.js';

/** The flags that set the rights of a new API key or integration client. */
export interface GrantFlags extends WriteFlags {
  readonly scope: readonly string[];
  readonly allManaged?: boolean;
  readonly forTracker: readonly string[];
  readonly defaultTracker?: string;
  readonly expiresIn?: string;
  readonly code?: string;
}

/** The fields of a grant. `access` (the trackers) is required for API keys and optional for integration clients. */
type Grant = Omit<CreateApiKeyInput, 'access'> & { readonly access: CreateApiKeyInput['access'] | undefined };

/** Declares the flags of {@link GrantFlags}. */
export function addGrantFlags(command: Command): Command {
  return command
    .option('--scope <scope>', `a scope; repeatable: ${allScopes.join(', ')}`, collect, [])
    .option('--all-managed', 'all trackers that you own or administer, now and later')
    .option('--for-tracker <tracker>', 'only this tracker, id or name; repeat the flag for several', collect, [])
    .option(
      '--default-tracker <tracker>',
      'the tracker for requests that name no tracker; only for integration clients (API keys ignore it)',
    )
    .option('--expires-in <time>', 'hours, days or weeks: 12h, 30d, 8w (default: 90d)')
    .option('--code <digits>', 'one-time code, if the server requires one');
}

/**
 * Returns the grant that the flags describe; `access` is undefined if neither --all-managed nor --for-tracker is set.
 * @throws UsageError (exit 2) when flags contradict each other, a scope is unknown or a duration is malformed;
 *   UnknownNameError (exit 5) for an unknown tracker
 */
export async function readGrant(context: CommandContext, flags: GrantFlags, name: string): Promise<Grant> {
  const { client } = context.connection;
  const { expiresIn, defaultTracker } = flags;
  if (flags.allManaged === true && flags.forTracker.length > 0) {
    throw new UsageError('--all-managed cannot be combined with --for-tracker.', 'Remove one of them.');
  }
  const scopes = flags.scope.map(requireScope);
  const trackerIds: string[] = [];
  for (const tracker of flags.forTracker) trackerIds.push(await requireTrackerId(client, tracker));
  return {
    name,
    scopes,
    access: chooseAccess(flags.allManaged === true, trackerIds),
    defaultTrackerId: defaultTracker === undefined ? undefined : await requireTrackerId(client, defaultTracker),
    expiresAt: expiresIn === undefined ? undefined : expiryAfter(expiresIn, context.io.clock.nowMs()),
  };
}

function requireScope(text: string): Scope {
  const scope = allScopes.find((name) => name === text);
  if (scope !== undefined) return scope;
  throw new UsageError(`--scope ${text} is not valid.`, `Use one of ${allScopes.join(', ')}.`);
}

function chooseAccess(isAllManaged: boolean, trackerIds: string[]): Grant['access'] {
  if (isAllManaged) return { mode: 'all_managed' };
  return trackerIds.length > 0 ? { mode: 'selected', trackerIds } : undefined;
}

/**
 * Returns the end of a duration such as `12h`, `30d` or `8w` that starts now, as RFC 3339. A day has 24 hours, because keys
 * have no time zone.
 * @throws UsageError (exit 2) when the text is not such a duration
 */
export function expiryAfter(time: string, nowMs: number): string {
  const parts = /^([1-9]\d{0,4})([hdw])$/.exec(time.trim());
  if (parts === null)
    throw new UsageError(`--expires-in "${time}" is not a duration.`, 'Use a duration such as 12h, 30d or 8w.');
  const hours = { h: 1, d: 24, w: 168 }[parts[2] as 'h' | 'd' | 'w'];
  return new Date(nowMs + Number(parts[1]) * hours * 3_600_000).toISOString();
}
