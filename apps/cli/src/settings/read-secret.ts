import { UsageError } from '../cli-error.js';
import type { InputStream } from '../surroundings.js';

/**
 * Reads a secret that a script writes to standard input. It may begin or end with spaces; only the line's end is not
 * part of it.
 * @param what names it in messages: `password`
 * @throws UsageError (exit 2) when there is none, or standard input is a terminal, which would show it
 */
export async function readSecret(stdin: InputStream, what: string): Promise<string> {
  if (stdin.isTTY === true) {
    throw new UsageError(
      `Standard input is a terminal, which would show the ${what}.`,
      `Write the ${what} into a pipe.`,
    );
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`There is no ${what} on standard input.`, 'Write it there, on one line.');
  return secret;
}

/** Standard input after a token was read from it: whatever else would read it is told so. */
export function usedUpStdin(): InputStream {
  return {
    // biome-ignore lint/correctness/useYield: there is nothing to yield, only somebody to tell.
    async *[Symbol.asyncIterator]() {
      throw new UsageError(
        'Standard input holds the token (--token-stdin), so nothing else can be read from it.',
        'Give the token in CENTAVO_TOKEN, or name a file.',
      );
    },
  };
}
