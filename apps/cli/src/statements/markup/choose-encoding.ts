import { detectEncoding, requireEncoding } from '../csv/text-encoding.js';

/**
 * Finds how a file that may say so itself is to be read: a wish decides, then a byte order mark and valid UTF-8 (which
 * banks also write under other names), then what the file says, then Windows-1252, which is what is meant by ASCII.
 *
 * @param file.head the beginning of the file, with an OFX header or an XML declaration
 * @returns a label that `TextDecoder` knows
 * @throws UsageError (exit 2) when the file cannot be read or is no text, and for a wish that is no encoding
 */
export async function chooseEncoding(file: {
  readonly path: string;
  readonly wished: string | undefined;
  readonly head: string;
}): Promise<string> {
  if (file.wished !== undefined) return requireEncoding(file.wished);
  const detected = await detectEncoding(file.path);
  return detected === fallback ? (findDeclared(file.head) ?? fallback) : detected;
}

const fallback = 'windows-1252';

/** What the file says of itself, if it is an encoding of single bytes; one that says UTF-8 and is not has lied. */
function findDeclared(head: string): string | undefined {
  const xml = /<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1];
  const ofx = /^\s*CHARSET:\s*(\S+)/im.exec(head)?.[1];
  const label = (xml ?? ofx ?? '').replace(/^(125\d)$/, 'windows-$1').replace(/^8859-/, 'iso-8859-');
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
}
