import { readBytes } from './csv/text-encoding.js';

/**
 * The first bytes of a file as text, to recognise what it is and how it says it is encoded. What is looked for there is
 * ASCII in every encoding, so each byte is a character, and the zeros and the mark of UTF-16 and UTF-8 are left out.
 *
 * @throws UsageError (exit 2) when the file cannot be opened or read
 */
export async function peekText(path: string): Promise<string> {
  for await (const chunk of readBytes(path)) {
    return chunk
      .subarray(0, 4096)
      .toString('latin1')
      .replaceAll('\0', '')
      .replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '');
  }
  return '';
}
