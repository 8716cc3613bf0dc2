import {
  allScopes,
  type Context,
  isNotFoundError,
  isPermissionError,
  type Me,
  type Scope,
  type Tracker,
} from '@centavo/sdk';
import type { StoredSession } from '../../config/profiles.js';
import { traceSettings } from '../../config/settings.js';
import type { AdvisedError } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { explainForbiddenTracker } from '../shared/explain-refusal.js';

/** The user, the credential, the tracker and the server that a command uses. */
export interface Status {
  readonly baseUrl: string;
  readonly profile: string;
  readonly user: Pick<Me, 'userId' | 'email' | 'totpEnrolled'> | null;
  readonly credential: {
    /** `session`, or the kind of the API key. Null if unknown, for example for a key without the scope `context:read`. */
    readonly kind: string | null;
    readonly name: string | null;
    /** The origin of the credential: `profile`, `CENTAVO_TOKEN`, `--token-stdin`. */
    readonly source: string;
    readonly scopes: readonly Scope[];
    /** RFC 3339; for a session the expiry of its refresh token. Null if unknown. */
    readonly expiresAt: string | null;
  };
  /** The tracker in which requests act. Null if there is none, or if the credential may not read it. */
  readonly tracker: Pick<Tracker, 'id' | 'name' | 'role' | 'currencyCode'> | null;
  /** The rule by which the server chose the tracker, such as `header` or `active`. Null if unknown or without a tracker. */
  readonly resolvedBy: Context['resolvedBy'];
}

/** A status, and the error if the server refused the tracker of the settings. */
export interface LoadedStatus {
  readonly status: Status;
  /** Undefined if the credential may use the tracker, or if the settings name no tracker. */
  readonly trackerRefusal: AdvisedError | undefined;
}

/**
 * Loads the status from the server. Parts that the credential may not read are left out, because `status` has to work with
 * every valid credential.
 * @throws the server's error for an invalid credential
 */
export async function loadStatus(context: CommandContext): Promise<LoadedStatus> {
  const { settings, sources, profileName } = context;
  const session = settings.token === undefined ? await context.vault.find() : undefined;
  const { apiContext, trackerRefusal } = await findContext(context);
  const me = apiContext === undefined || apiContext.principal.kind === null ? await findMe(context) : undefined;
  const { token } = traceSettings(sources);
  // The credential is a session if the server returns a user, or if it returns a context in which the credential has no kind.
  // For some sessions the server returns only one of the two: no user for a session of an external identity provider, and no
  // context for a user without a tracker.
  const isSession = me !== undefined || apiContext?.principal.kind === null;
  const status: Status = {
    baseUrl: settings.baseUrl,
    profile: profileName,
    user: me === undefined ? null : { userId: me.userId, email: me.email, totpEnrolled: me.totpEnrolled },
    credential: {
      source: token.value === undefined ? 'profile' : token.origin,
      ...(isSession ? describeSession(session) : describeKey(apiContext)),
    },
    tracker: await findTracker(context, apiContext?.activeTrackerId),
    resolvedBy: apiContext?.resolvedBy ?? null,
  };
  return { status, trackerRefusal };
}

function describeKey(apiContext: Context | undefined) {
  const { kind = null, name = null, scopes = [], expiresAt = null } = apiContext?.principal ?? {};
  return { kind, name, scopes, expiresAt };
}

function describeSession(session: StoredSession | undefined) {
  return { kind: 'session', name: null, scopes: allScopes, expiresAt: session?.refreshExpiresAt ?? null };
}

/**
 * Returns the context (the credential and its tracker) and, if the server refused the tracker, the error. There is no context
 * for a user without a tracker, for a refused tracker, and for an API key without `context:read`.
 */
async function findContext(context: CommandContext): Promise<{
  apiContext: Context | undefined;
  trackerRefusal: LoadedStatus['trackerRefusal'];
}> {
  const client = await context.clientInTracker();
  try {
    return { apiContext: await client.context.get(), trackerRefusal: undefined };
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return { apiContext: undefined, trackerRefusal: explainForbiddenTracker(error, context) };
  }
}

/** Returns the user; undefined for an API key, or if the server uses an external identity provider. */
export async function findMe({ connection }: CommandContext): Promise<Me | undefined> {
  return unlessForbidden(connection.client.identity.me());
}

async function findTracker(
  { connection }: CommandContext,
  trackerId: string | null | undefined,
): Promise<Status['tracker']> {
  if (trackerId === null || trackerId === undefined) return null;
  const trackers = await unlessForbidden(connection.client.trackers.list());
  const found = trackers?.data.find(({ id }) => id === trackerId);
  if (found === undefined) return null;
  const { id, name, role, currencyCode } = found;
  return { id, name, role, currencyCode };
}

async function unlessForbidden<Result>(call: PromiseLike<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotAllowed(error)) return undefined;
    throw error;
  }
}

function isNotAllowed(error: unknown): boolean {
  return isPermissionError(error) || isNotFoundError(error);
}
