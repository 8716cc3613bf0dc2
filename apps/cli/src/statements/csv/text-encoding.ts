import { createReadStream } from 'node:fs';
import { UsageError } from '../../cli-error.js';

/**
 * Finds how the bytes of a file are to be read as text, as a label that `TextDecoder` knows.
 *
 * A byte order mark decides; else the whole file decides: UTF-8 if every byte of it is valid UTF-8 (other encodings
 * practically never are, once they use a letter beyond ASCII), else Windows-1252, which contains ISO-8859-1. The whole
 * file, because the first accent may be in its last row.
 *
 * @throws UsageError (exit 2) when the file cannot be read, or holds NUL bytes and so is no text
 */
export async function detectEncoding(path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let isFirst = true;
  for await (const chunk of readBytes(path)) {
    if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
    if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    isFirst = false;
    if (chunk.includes(0)) throw new UsageError(`${path} is not a text file.`, 'Export the statement as CSV.');
    if (isUtf8) isUtf8 = decodes(decoder, chunk);
  }
  return isUtf8 && decodes(decoder, undefined) ? 'utf-8' : 'windows-1252';
}

/**
 * The label of an encoding that the user named, checked.
 * @throws UsageError (exit 2) for a name that `TextDecoder` does not know
 */
export function requireEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new UsageError(`--encoding ${label} is not known.`, 'Use utf-8, iso-8859-1, windows-1252 or utf-16le.');
  }
}

/**
 * The bytes of a file, chunk by chunk.
 * @throws UsageError (exit 2) when the file cannot be opened or read
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${unreadable[code] ?? `it cannot be read (${code})`}.`, 'Check the path.');
  }
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined): boolean {
  try {
    if (chunk === undefined) decoder.decode();
    else decoder.decode(chunk, { stream: true });
    return true;
  } catch {
    return false;
  }
}
