import type { Context } from '@centavo/contracts';
import type { EffectiveTracker, Principal } from '../../auth/principal.js';

/** Who is calling and where, as the API shows it; the active tracker is the effective one. Source: contract, section 3. */
export function toContextView(access: {
  readonly principal: Principal;
  readonly tracker: EffectiveTracker | null;
}): Context {
  const { principal, tracker } = access;
  return {
    activeTrackerId: tracker?.id ?? null,
    defaultTrackerId: principal.defaultTrackerId,
    resolvedBy: tracker?.resolvedBy ?? null,
    principal: {
      type: principal.type,
      id: principal.id,
      name: principal.name,
      kind: principal.kind,
      scopes: [...principal.scopes],
      expiresAt: principal.expiresAt,
    },
  };
}
