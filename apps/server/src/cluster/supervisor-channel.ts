import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Figure } from '../http/metrics.js';
import type { Leave } from './fork-worker.js';

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

/** A worker's connection to its supervisor. When that one is gone, however it went, Node ends this process at once. */
export interface SupervisorLink {
  /** Resolves when the supervisor asks this worker to finish and to end. */
  readonly drainAsked: Promise<Leave>;
  /**
   * The page of GET /metrics over all workers.
   * @throws Error where they cannot be added up
   */
  tellAllFigures(): Promise<string>;
  /** From now on this worker serves, and tells its own figures when it is asked. */
  serve(served: { readonly origin: string; readonly ownFigures: () => Promise<readonly Figure[]> }): void;
  /** Leaves, with what there is to tell at the end of one that served; nothing then keeps the process. */
  leave(figures?: readonly Figure[]): Promise<void>;
}

/**
 * Links this process to the one that forked it.
 * @throws Error in a process that was not forked by a supervisor
 */
export function linkToSupervisor(): SupervisorLink {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('This process has no supervisor');
  const send = (message: ToSupervisor) =>
    new Promise<void>((resolve) => {
      worker.send(message, () => resolve());
    });
  const pages = new Map<number, (page: string | null) => void>();
  let questions = 0;
  let ownFigures = async (): Promise<readonly Figure[]> => [];
  let askToDrain = (_leave: Leave) => {};
  const drainAsked = new Promise<Leave>((resolve) => {
    askToDrain = resolve;
  });
  worker.on('message', (message: ToWorker) => {
    if (message.kind === 'drain') {
      askToDrain(message.leave);
    } else if (message.kind === 'all-figures') {
      pages.get(message.question)?.(message.page);
      pages.delete(message.question);
    } else {
      const { question } = message;
      ownFigures().then(
        (figures) => send({ kind: 'own-figures', question, figures }),
        () => {},
      );
    }
  });

  return {
    drainAsked,
    tellAllFigures() {
      questions += 1;
      const question = questions;
      void send({ kind: 'tell-all-figures', question });
      return new Promise((resolve, reject) => {
        pages.set(question, (page) => {
          if (page === null) reject(new Error('The figures of all workers could not be added up'));
          else resolve(page);
        });
      });
    },
    serve(served) {
      ownFigures = served.ownFigures;
      void send({ kind: 'serving', origin: served.origin });
    },
    async leave(figures) {
      if (figures !== undefined) await send({ kind: 'last-figures', figures });
      const gone = once(worker, 'disconnect');
      worker.disconnect();
      await gone;
    },
  };
}
