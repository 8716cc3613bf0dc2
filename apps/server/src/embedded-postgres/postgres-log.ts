import { open, rename, stat } from 'node:fs/promises';

const logBytesMax = 1024 * 1024;
const linesMax = 8;
const tailBytesMax = 16 * 1024;

/** Sets a log of more than 1 MiB aside, replacing the one set aside before, so that at most two are kept. */
export async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > logBytesMax) await rename(logFile, `${logFile}.1`);
}

/** Reads the last lines that were written to a log since it had `from` bytes. */
export async function lastLogLines({ logFile, from }: { logFile: string; from: number }): Promise<string[]> {
  const file = await open(logFile, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - tailBytesMax);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - start)), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line !== '').slice(-linesMax);
  } finally {
    await file.close();
  }
}
