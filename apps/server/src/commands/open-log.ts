import pino, { type Logger } from 'pino';

const writtenAfterMs = 10;
/** So many characters are written at once, whenever they come. */
const charactersMax = 8_192;

/**
 * The log of this process: lines of JSON on stdout. Those of some milliseconds are written together, because a write for each
 * costs a busy server as much as reading the request does; nobody waits for them, not even where stdout stands still. A process
 * that ends writes what it has; one that is killed loses them.
 * @param options.namesProcess whether each line has the process in it, for who reads the lines of several
 */
export function openLog(options: { readonly level: string; readonly namesProcess?: boolean }): Logger {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: charactersMax });
  let isAwaited = false;
  const lines = {
    write(line: string): void {
      stdout.write(line);
      if (isAwaited) return;
      isAwaited = true;
      setTimeout(() => {
        isAwaited = false;
        stdout.flush();
      }, writtenAfterMs);
    },
  };
  return pino(
    {
      level: options.level,
      base: options.namesProcess === true ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    lines,
  );
}
