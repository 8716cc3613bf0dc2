import cluster, { type Worker } from 'node:cluster';
import type { Figure } from '../http/metrics.js';
import type { ToSupervisor, ToWorker } from './supervisor-channel.js';
import type { FiguresOfWorkers } from './worker-metrics.js';

/** How a worker is to leave. */
export interface Leave {
  /** How long it still accepts. */
  readonly drainDelayMs: number;
  /** Whether others go on serving in its place: whoever asks for the health of the server is then told that it is well. */
  readonly isReplaced: boolean;
}

/** A process that serves beside others on one port, as its supervisor sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves with where it listens, once it does; rejects where it ended before. */
  readonly serving: Promise<string>;
  /** Resolves with how it ended: `SIGKILL`, `exit code 1`. Everything that it sent has then been read. */
  readonly ended: Promise<string>;
  /** Asks one that serves to finish what it began and to end; it is killed where that takes beyond all bounds. */
  drain(leave: Leave): void;
  /** Asks one that does not serve yet to end. */
  giveUp(): void;
}

// What a worker may take beyond its delay: 20 s for the answers under way, and 10 s for what it closes then.
const endMsMax = 30_000;
// How long after a process has ended what it sent is still waited for.
const readMsMax = 1_000;

/**
 * Starts the program once more, as a worker of this process: with the same words, and with the environment of this process
 * but for what `env` says. When this process ends, however it does, its workers end too.
 * @param options.figures is kept informed
 */
export function forkWorker(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly figures: FiguresOfWorkers;
}): WorkerProcess {
  const { figures } = options;
  // The workers accept by themselves, from one queue. Handed to them by the supervisor, which is the usual way, a connection
  // that was on its way to a worker at the end of that one would hang until its client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork(options.env);
  const { pid } = worker.process;
  const send = (message: ToWorker) => sendTo(worker, message);
  const ended = endOf(worker);
  void ended.then(() => figures.leave(worker.id));

  const answers = new Map<number, (figures: readonly Figure[]) => void>();
  let questions = 0;
  figures.join(worker.id, () => {
    questions += 1;
    const question = questions;
    send({ kind: 'tell-own-figures', question });
    return new Promise((resolve) => {
      answers.set(question, resolve);
    });
  });

  const serving = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ToSupervisor) => {
      if (message.kind === 'serving') {
        resolve(message.origin);
      } else if (message.kind === 'own-figures') {
        answers.get(message.question)?.(message.figures);
        answers.delete(message.question);
      } else if (message.kind === 'last-figures') {
        figures.note(worker.id, message.figures);
      } else {
        const { question } = message;
        void figures
          .page()
          .catch(() => null)
          .then((page) => send({ kind: 'all-figures', question, page }));
      }
    });
    void ended.then((how) => reject(new Error(`The worker process ${pid} ended with ${how} before it served`)));
  });

  return {
    pid,
    serving,
    ended,
    drain(leave) {
      send({ kind: 'drain', leave });
      const late = setTimeout(() => worker.process.kill('SIGKILL'), leave.drainDelayMs + endMsMax);
      void ended.then(() => clearTimeout(late));
    },
    // A signal, because messages are lost on a program that is not yet there to read them.
    giveUp: () => void worker.process.kill('SIGTERM'),
  };
}

/** How it ended, once also everything that it sent has been read. */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    const read = new Promise<void>((tell) => {
      worker.once('disconnect', tell);
    });
    worker.once('exit', (exitCode, signal) => {
      const how = signal ?? `exit code ${exitCode}`;
      // Node forgets to tell of the disconnection of one that was killed while it was being sent the listening socket.
      const late = setTimeout(() => resolve(how), readMsMax);
      void read.then(() => {
        clearTimeout(late);
        resolve(how);
      });
    });
    // One that could not even be started tells nothing else. Writing to one that is just ending fails too, and that is no end;
    // without a listener it would be ours.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

/** To one that has just ended nothing can be said, and its end is told otherwise. */
function sendTo(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
