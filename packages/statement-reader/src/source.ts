import { createReadStream } from 'node:fs';
import { StatementError } from './statement-error.js';

/** The bytes of a statement. */
export interface StatementSource {
  /** The name in messages; its extension helps to recognize the format. */
  readonly name: string;
  /** Yields the bytes in chunks. The package calls `read` several times, and each call starts at the first byte. */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Returns a file as a source.
 * @throws StatementError from `read`, if the file cannot be opened or read
 */
export function fileSource(path: string): StatementSource {
  return { name: path, read: () => readFile(path) };
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new StatementError(`${path}: ${unreadable[code] ?? `it cannot be read (${code})`}.`, 'Check the path.');
  }
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'you have no permission to read it',
  EPERM: 'you have no permission to read it',
};

/**
 * Returns the first bytes of a file as text, to recognize its format and the encoding that it declares. ASCII characters are
 * enough for this, so each byte is decoded as one character. Removes a byte order mark, and NUL bytes (one of the two bytes of
 * each ASCII character in UTF-16).
 * @throws StatementError if the file cannot be opened or read
 */
export async function peekText(source: StatementSource): Promise<string> {
  return Buffer.from(await readFirstBytes(source))
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '');
}

/** Returns the first 4096 bytes of a statement, or all bytes of a shorter statement. */
export async function readFirstBytes(source: StatementSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= firstBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, firstBytesMax);
}

const firstBytesMax = 4096;

/** The maximum length of a line, to limit the memory. No statement has a longer line. */
const lineCharactersMax = 1_000_000;

/**
 * Yields the lines of a text file in constant memory, without their ends (CRLF, LF or CR) and without a byte order
 * mark.
 *
 * @param encoding a label that `TextDecoder` supports; invalid bytes become U+FFFD
 * @throws StatementError if the file cannot be read, or a line is longer than a million characters
 */
export async function* readLines(source: StatementSource, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for await (const chunk of source.read()) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end of a chunk may be the first half of a CRLF.
    const isHalfEnd = rest.endsWith('\r');
    const lines = (isHalfEnd ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalfEnd ? '\r' : '');
    yield* lines;
    if (rest.length > lineCharactersMax) {
      throw new StatementError(
        `${source.name} has a line of more than ${lineCharactersMax} characters.`,
        'Export the statement again. No statement has such a long line.',
      );
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield* rest.replace(/\r$/, '').split(/\r\n|\n|\r/);
}
