import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './run-to-end.js';
import { startScriptedServer } from './scripted-server.js';

const script = fileURLToPath(new URL('../runtimes/conformance.mjs', import.meta.url));

/** The output of the conformance script in one runtime. */
export interface Conformance {
  /** Name and version, such as `Node 22.23.3`. */
  readonly runtime: string;
  /** For each documented behaviour of the client: `ok`, or the error. */
  readonly outcomes: Readonly<Record<string, string>>;
}

/**
 * Runs the conformance script in the folder of a consumer, so that it imports the installed tarballs.
 * @param runtime the program, and its arguments before the script
 */
export async function tryRuntime(
  consumer: string,
  runtime: { readonly program?: string; readonly words: readonly string[] },
): Promise<Conformance> {
  const copy = join(consumer, 'conformance.mjs');
  await copyFile(script, copy);
  const server = await startScriptedServer();
  try {
    const { stdout } = await runToEnd({ ...runtime, words: [...runtime.words, copy, server.origin], cwd: consumer });
    return JSON.parse(stdout) as Conformance;
  } finally {
    await server.close();
  }
}
