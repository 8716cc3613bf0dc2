import pino, { type Logger } from 'pino';

const writtenAfterMs = 10;

/**
 * The log of this process: lines of JSON on stdout. Those of some milliseconds are written together, because a write for each
 * costs a busy server as much as reading the request does; nobody waits for them, not even where stdout stands still. A process
 * that ends writes what it has; one that is killed loses them.
 * @param options.namesProcess whether each line has the process in it, for who reads the lines of several
 */
export function openLog(options: { readonly level: string; readonly namesProcess?: boolean }): Logger {
  const stdout = pino.destination({ dest: 1, sync: false });
  let lines = '';
  const writeLines = () => {
    const together = lines;
    lines = '';
    stdout.write(together);
  };
  const onExit = () => {
    if (lines !== '') writeLines();
    stdout.flushSync();
  };
  process.on('exit', onExit);
  const write = (line: string) => {
    if (lines === '') setTimeout(writeLines, writtenAfterMs);
    lines += line;
  };
  return pino(
    {
      level: options.level,
      base: options.namesProcess === true ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write },
  );
}
