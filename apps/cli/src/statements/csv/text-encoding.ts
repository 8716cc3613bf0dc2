import { createReadStream } from 'node:fs';
import { UsageError } from '../../errors.js';
import { guessLegacyEncoding } from './guess-legacy-encoding.js';

/**
 * Finds how the bytes of a file are to be read as text, as a label that `TextDecoder` knows.
 *
 * A byte order mark decides, or the zeros of UTF-16 without one; else the whole file decides: UTF-8 if every byte of it
 * is valid UTF-8 (other encodings practically never are, once they use a letter beyond ASCII), else the likeliest of
 * the older ones. The whole file, because the first accent may be in its last row.
 *
 * @throws UsageError (exit 2) when the file cannot be read, or holds NUL bytes and so is no text
 */
export async function detectEncoding(path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const sample: Buffer[] = [];
  let sampled = 0;
  let isUtf8 = true;
  let isFirst = true;
  for await (const chunk of readBytes(path)) {
    const wide = isFirst ? findWideEncoding(chunk) : undefined;
    if (wide !== undefined) return wide;
    isFirst = false;
    if (chunk.includes(0)) throw new UsageError(`${path} is not a text file.`, 'Export the statement as CSV.');
    if (sampled < sampleBytesMax && hasForeignByte(chunk)) {
      sample.push(chunk);
      sampled += chunk.length;
    }
    if (isUtf8) isUtf8 = decodes(decoder, chunk);
  }
  if (isUtf8 && decodes(decoder, undefined)) return 'utf-8';
  return guessLegacyEncoding(Buffer.concat(sample));
}

/** Four chunks: what a language looks like is told by a few lines. */
const sampleBytesMax = 4 * 65_536;

function hasForeignByte(chunk: Buffer): boolean {
  return chunk.some((byte) => byte > 0x7f);
}

/** UTF-16 by its mark; or by the zero in every other byte that digits and delimiters have in it. */
function findWideEncoding(chunk: Buffer): string | undefined {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
  const start = [...chunk.subarray(0, 200)];
  const zeros = (parity: number) => start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (start.length < 8) return undefined;
  if (zeros(1) * 4 > start.length && zeros(0) === 0) return 'utf-16le';
  return zeros(0) * 4 > start.length && zeros(1) === 0 ? 'utf-16be' : undefined;
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
