import type { Figure } from '../http/metrics.js';
import type { Leave } from './worker-process.js';

/** What a supervisor says to a worker. */
export type ToWorker =
  | { readonly kind: 'drain'; readonly leave: Leave }
  | { readonly kind: 'tell-own-figures'; readonly question: number }
  | { readonly kind: 'all-figures'; readonly question: number; readonly page: string | null };

/** What a worker says to its supervisor. */
export type ToSupervisor =
  | { readonly kind: 'serving'; readonly origin: string }
  | { readonly kind: 'own-figures'; readonly question: number; readonly figures: readonly Figure[] }
  | { readonly kind: 'last-figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'tell-all-figures'; readonly question: number };
