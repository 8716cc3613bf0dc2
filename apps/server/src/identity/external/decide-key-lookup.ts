import { type KeySet, kidLengthMax } from './parse-key-set.js';

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
