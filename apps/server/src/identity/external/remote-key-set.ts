import type { JWK } from 'jose';
import { serviceUnavailable } from '../../api-error.js';
import { decideKeyLookup, type KeySetState } from './decide-key-lookup.js';
import { describeFailure } from './fetch-small-json.js';
import type { KeySet } from './parse-key-set.js';

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
