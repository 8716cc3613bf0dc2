import { UsageError } from '../../errors.js';
import { readBytes } from './text-encoding.js';

/** No statement has a line this long; a file that does is not one, and would not fit the promise of a small memory. */
const lineCharactersMax = 1_000_000;

/**
 * The lines of a text file, without their ends (CRLF, LF or CR) and without a byte order mark, in constant memory.
 *
 * @param encoding a label that `TextDecoder` knows; bytes that are invalid in it become U+FFFD
 * @throws UsageError (exit 2) when the file cannot be read or a line is longer than a million characters
 */
export async function* readLines(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for await (const chunk of readBytes(path)) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be half of a CRLF whose LF is in the next chunk.
    const isHalfEnd = rest.endsWith('\r');
    const lines = (isHalfEnd ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalfEnd ? '\r' : '');
    yield* lines;
    if (rest.length > lineCharactersMax) {
      throw new UsageError(
        `${path} has a line of more than ${lineCharactersMax} characters.`,
        'It is not a statement.',
      );
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield* rest.replace(/\r$/, '').split(/\r\n|\n|\r/);
}
