import type { JWK } from 'jose';
import { serviceUnavailable } from '../../api-error.js';
import { describeFailure } from './fetch-small-json.js';
import { type KeySet, kidLengthMax } from './parse-key-set.js';

/** The issuer's public keys, loaded on demand. */
export interface RemoteKeySet {
  /**
   * Returns the key with this ID for this algorithm, or undefined if no loaded key matches.
   * @throws SERVICE_UNAVAILABLE (503) if no key that was loaded in the last 24 h has this ID, and the last attempt to load the keys failed
   */
  find(wanted: { readonly kid: string; readonly algorithm: string }): Promise<JWK | undefined>;
}

/**
 * Creates the remote key set. It loads nothing before the first look-up, and concurrent look-ups share one load. jose's own remote
 * key set is not used, because of its behaviour during an outage of the issuer: jose sends a request for each token, and rejects valid
 * tokens as soon as jose's cache expires.
 * @param options.load returns the keys or rejects; {@link decideKeyLookup} decides when it is called
 */
export function createRemoteKeySet(options: {
  readonly load: () => Promise<KeySet>;
  readonly clock: () => Date;
}): RemoteKeySet {
  let state: KeySetState = { loaded: null, tried: null };
  let loading: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    const atMs = options.clock().getTime();
    try {
      const keys = await options.load();
      state = { loaded: { keys, atMs }, tried: { atMs, failure: undefined } };
    } catch (failure) {
      state = { loaded: state.loaded, tried: { atMs, failure: failure ?? 'unknown' } };
    }
    loading = undefined;
  }
  const load = () => {
    loading ??= attempt();
    return loading;
  };
  const decide = (kid: string, mayLoad: boolean) =>
    decideKeyLookup({ state, kid, nowMs: options.clock().getTime(), mayLoad });

  return {
    async find({ kid, algorithm }) {
      let lookup = decide(kid, true);
      if (lookup === 'load') {
        await load();
        lookup = decide(kid, false);
      } else if (lookup === 'use_and_load') {
        // Unlike `options.load`, this `load` never rejects: a failure is stored in `state`.
        void load();
      }
      if (lookup === 'unavailable') {
        const cause = state.tried?.failure;
        throw serviceUnavailable({ internalReason: describeFailure('IDENTITY_JWKS_URL', cause), cause });
      }
      if (lookup === 'unknown') return undefined;
      return state.loaded?.keys.get(kid)?.find(({ algorithms }) => algorithms.includes(algorithm))?.jwk;
    },
  };
}

/** The loaded keys and the last attempt to load them; times in milliseconds since 1970. */
export interface KeySetState {
  readonly loaded: { readonly keys: KeySet; readonly atMs: number } | null;
  /** The last attempt to load the keys, successful or not; null before the first attempt. */
  readonly tried: { readonly atMs: number; readonly failure: unknown } | null;
}

/**
 * The way to look up a key ID. `use`: use the loaded key. `use_and_load`: use the loaded key, and reload the keys in the background.
 * `load`: load the keys, then decide again. `unknown`: report an unknown key. `unavailable`: report an unavailable issuer.
 */
export type KeyLookup = 'use' | 'use_and_load' | 'load' | 'unknown' | 'unavailable';

const freshMs = 10 * 60_000;
const usableMs = 24 * 3_600_000;
const pauseMs = 30_000;

/**
 * Decides how to look up a key. The keys are loaded at most once in 30 s, so that neither an outage nor unknown key IDs cause a stream
 * of requests. During an outage, known keys stay valid until 24 h after they were loaded. Pure.
 * @param request.mayLoad false if the caller has just waited for a load, because a look-up loads at most once
 */
export function decideKeyLookup(request: {
  readonly state: KeySetState;
  readonly kid: string;
  readonly nowMs: number;
  readonly mayLoad: boolean;
}): KeyLookup {
  const { state, kid, nowMs } = request;
  const { loaded, tried } = state;
  if (kid.length > kidLengthMax) return 'unknown';
  const mayLoad = request.mayLoad && (tried === null || !isWithin(pauseMs, { sinceMs: tried.atMs, nowMs }));
  const hasFailed = tried !== null && tried.failure !== undefined;
  const isUsable = loaded !== null && isWithin(usableMs, { sinceMs: loaded.atMs, nowMs });
  if (isUsable && loaded.keys.has(kid)) {
    if (isWithin(freshMs, { sinceMs: loaded.atMs, nowMs })) return 'use';
    if (!mayLoad) return 'use';
    // After a failed load, the next load runs in the background, so that requests with valid tokens do not wait for a slow issuer.
    return hasFailed ? 'use_and_load' : 'load';
  }
  if (mayLoad) return 'load';
  // If the last load failed, the key is not reported as unknown: the issuer may have added it after the last successful load.
  return isUsable && !hasFailed ? 'unknown' : 'unavailable';
}

/**
 * Returns whether less than `spanMs` has passed since `sinceMs`. Returns false if the clock was set back to a time before `sinceMs`: the
 * keys may then be loaded too early, which is better than not loading them for hours.
 */
function isWithin(spanMs: number, { sinceMs, nowMs }: { sinceMs: number; nowMs: number }): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < spanMs;
}
