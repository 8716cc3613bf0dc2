import type { JWK } from 'jose';
import { serviceUnavailable } from '../../api-error.js';
import { describeFailure } from './fetch-small-json.js';
import { type KeySet, kidLengthMax } from './parse-key-set.js';

/** The issuer's public keys, loaded when they are needed. */
export interface RemoteKeySet {
  /**
   * The key with this id that verifies this algorithm, or undefined where the issuer has none.
   * @throws SERVICE_UNAVAILABLE (503) when that cannot be known, because the issuer does not answer
   */
  find(wanted: { readonly kid: string; readonly algorithm: string }): Promise<JWK | undefined>;
}

/**
 * Opens the issuer's keys; nothing is loaded before the first question. One load is under way at a time, and all who need
 * it wait for that one. jose's own remote set is not used: while the issuer is down it asks at every token, and when its
 * cache has ended good keys stop working.
 * @param options.load gives the keys or fails; {@link decideKeyLookup} says when it is called
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
        // It never rejects: what went wrong is kept in the state.
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

/** What is known of the issuer's keys; times in milliseconds since 1970. */
export interface KeySetState {
  readonly loaded: { readonly keys: KeySet; readonly atMs: number } | null;
  /** The last attempt to load them, whatever came of it. */
  readonly tried: { readonly atMs: number; readonly failure: unknown } | null;
}

/**
 * What to do about a key id: use what is there, use it and load behind the caller's back, load first, say that the issuer
 * has no such key, or say that it cannot be known now.
 */
export type KeyLookup = 'use' | 'use_and_load' | 'load' | 'unknown' | 'unavailable';

const freshMs = 10 * 60_000;
const usableMs = 24 * 3_600_000;
const pauseMs = 30_000;

/**
 * Decides how a key is looked up. Whatever the reason, the issuer is asked at most once in 30 s: its being down, or
 * somebody who invents key ids, must not become a stream of requests. While it is down, keys that were known stay good
 * for 24 h. Pure.
 * @param request.mayLoad false once the caller has waited for a load: it then lives with what came
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
    // After a failure nobody waits for the next attempt: good tokens are not to feel that the issuer hangs.
    return hasFailed ? 'use_and_load' : 'load';
  }
  if (mayLoad) return 'load';
  // A key that is not there may be one that the issuer has added since it was last heard of.
  return isUsable && !hasFailed ? 'unknown' : 'unavailable';
}

/** A clock that was set back counts as time passed: one load too many is better than none for hours. */
function isWithin(spanMs: number, { sinceMs, nowMs }: { sinceMs: number; nowMs: number }): boolean {
  return nowMs >= sinceMs && nowMs - sinceMs < spanMs;
}
