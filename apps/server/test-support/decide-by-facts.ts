import { type CallContract, type Role, type Scope, scopes } from '@centavo/contracts';
import type { EnteredFacts } from '../src/auth/access.queries.js';
import { requirePrincipal } from '../src/auth/authenticate.js';
import { decideAccess } from '../src/auth/authorize.js';
import { refusedFor } from './refusal-of.js';

type Kind = 'user' | 'secure' | 'legacy' | 'integration_client';

/** What may be calling: a user, or a secret of three kinds. */
export const kinds: readonly Kind[] = ['user', 'secure', 'legacy', 'integration_client'];

/** The tracker that `facts` speak of unless told otherwise. */
export const here = '0190f2a0-0000-7000-8000-00000000000a';

/** The moment of the decision; codes are good for 600 seconds. */
export const nowSeconds = 1_700_000_000;

/** The decision on a call, by facts about its caller and what the request says. */
export const decide = (
  call: CallContract,
  entered: EnteredFacts,
  request: { readonly header?: string; readonly totpAtSeconds?: number | null } = {},
) =>
  decideAccess({
    call,
    principal: requirePrincipal(entered),
    facts: entered,
    trackerHeader: request.header ?? null,
    stepUp: {
      isRequired: call.stepUp,
      totpAtSeconds: request.totpAtSeconds ?? null,
      nowSeconds,
      maxAgeSeconds: 600,
    },
  });

/** The refusal of that call, in few words. */
export const refused = (...args: Parameters<typeof decide>) => refusedFor(() => decide(...args));

/** What is known of a caller: a user who owns the one tracker there is, or a secret of theirs with every scope, unless told otherwise. */
export function facts(options: {
  readonly kind?: Kind;
  readonly scopes?: readonly Scope[];
  readonly role?: Role;
  /** The tracker that was resolved, or null. */
  readonly tracker?: string | null;
  readonly eligible?: readonly string[];
  readonly chosen?: string | null;
  readonly isRevoked?: boolean;
  readonly isExpired?: boolean;
  readonly sessionActive?: boolean | null;
}): EnteredFacts {
  const { kind = 'user', tracker = here, eligible = [here], chosen = null } = options;
  return {
    user: { id: 'u1', email: 'ana@example.org', displayName: null, activeTrackerId: chosen, defaultTrackerId: null },
    sessionActive: options.sessionActive ?? (kind === 'user' ? true : null),
    credential:
      kind === 'user'
        ? null
        : {
            id: 'c1',
            kind,
            name: 'Robot',
            scopes: options.scopes ?? scopes,
            activeTrackerId: chosen,
            defaultTrackerId: null,
            expiresAt: '2027-01-01T00:00:00.000Z',
            isExpired: options.isExpired ?? false,
            isRevoked: options.isRevoked ?? false,
          },
    principalRoot: kind === 'user' ? 'user:u1' : 'lineage:c1',
    eligibleTrackerIds: eligible,
    chosenTrackerId: chosen,
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
