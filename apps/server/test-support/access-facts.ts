import { type CallContract, type Role, type Scope, scopes } from '@centavo/contracts';
import type { RequestFacts } from '../src/auth/auth.queries.js';
import { requirePrincipal } from '../src/auth/authenticate.js';
import { decideAccess } from '../src/auth/authorize.js';
import { summarizeThrown } from './thrown-api-error.js';

type Kind = 'user' | 'secure' | 'legacy' | 'integration_client';

/** The kinds of callers: a user, or one of three kinds of credentials. */
export const kinds: readonly Kind[] = ['user', 'secure', 'legacy', 'integration_client'];

/** The id of the tracker that {@link facts} uses if the test chooses none. */
export const here = '0190f2a0-0000-7000-8000-00000000000a';

/**
 * The current time for {@link decide}, in seconds since 1970. For operations that need a recent one-time code, `decide` accepts a code
 * that the user entered at most 600 seconds before this time.
 */
export const nowSeconds = 1_700_000_000;

/** Returns the access that `decideAccess` grants, or throws its refusal. */
export const decide = (
  call: CallContract,
  loaded: RequestFacts,
  request: { readonly header?: string; readonly totpAtSeconds?: number | null } = {},
) =>
  decideAccess({
    call,
    principal: requirePrincipal(loaded),
    facts: loaded,
    trackerHeader: request.header ?? null,
    stepUp: {
      isRequired: call.stepUp,
      totpAtSeconds: request.totpAtSeconds ?? null,
      nowSeconds,
      maxAgeSeconds: 600,
    },
  });

/** Returns the refusal of {@link decide}: its code and details, or the issues of a validation error. */
export const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

/**
 * Returns facts about a caller. By default, the caller is a user who owns the only tracker. If `kind` is a kind of credential, the caller
 * is a credential of that user, by default with every scope.
 */
export function facts(options: {
  readonly kind?: Kind;
  readonly scopes?: readonly Scope[];
  readonly role?: Role;
  /** The id of the tracker that the server selected for the request; null if it selected none. */
  readonly tracker?: string | null;
  /** The ids of the trackers that the caller may use. */
  readonly eligible?: readonly string[];
  /** The id of the caller's active tracker. */
  readonly chosen?: string | null;
  readonly isRevoked?: boolean;
  readonly isExpired?: boolean;
  readonly sessionActive?: boolean | null;
}): RequestFacts {
  const { kind = 'user', tracker = here, eligible = [here], chosen = null } = options;
  return {
    userId: 'u1',
    name: kind === 'user' ? 'ana@example.org' : 'Robot',
    activeTrackerId: chosen,
    defaultTrackerId: null,
    sessionActive: options.sessionActive ?? (kind === 'user' ? true : null),
    credential:
      kind === 'user'
        ? null
        : {
            id: 'c1',
            kind,
            scopes: options.scopes ?? scopes,
            expiresAt: '2027-01-01T00:00:00.000Z',
            isExpired: options.isExpired ?? false,
            isRevoked: options.isRevoked ?? false,
          },
    principalRoot: kind === 'user' ? 'user:u1' : 'lineage:c1',
    eligibleTrackerIds: eligible,
    tracker:
      tracker === null
        ? null
        : {
            id: tracker,
            name: 'Home',
            role: options.role ?? 'owner',
            currencyCode: 'EUR',
            timeZone: 'UTC',
            now: '2026-03-01T12:00:00.000Z',
            today: '2026-03-01',
            resolvedBy: 'single',
          },
    storedAnswers: [],
    keyLocked: null,
  };
}
