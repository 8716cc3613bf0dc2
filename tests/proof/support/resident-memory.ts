/** Returns the resident memory of a server from its metrics, in whole megabytes. */
export async function readResidentMb(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? 0) / 2 ** 20);
}
