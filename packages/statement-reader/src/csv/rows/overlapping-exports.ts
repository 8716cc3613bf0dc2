import { RepeatedIds } from '../../repeated-ids.js';
import type { CsvRecord } from '../reader.js';
import { nextKind, type RowKind } from './row-kind.js';

/** Two equal rows, one above and one below repeated headers. */
export interface Overlap {
  readonly headerLine: number;
  readonly lines: readonly [number, number];
}

/**
 * Finds a row that occurs in two parts of a file, if repeated headers divide the file into parts. Such a file may consist of several
 * exports that overlap. Reads the file twice: first stores a hash of each row, then only the rows whose hashes repeat.
 */
export async function findOverlap(file: {
  readonly read: () => AsyncIterable<CsvRecord>;
  readonly classify: (cells: readonly string[]) => RowKind;
}): Promise<Overlap | undefined> {
  const ids = new RepeatedIds();
  for await (const { kind, cells } of kindsOf(file)) if (kind === 'row') ids.see(idOf(cells));
  const isRepeated = ids.settle();
  if (!ids.hasRepeated) return undefined;
  const first = new Map<string, { readonly line: number; readonly headerLine: number }>();
  let headerLine = 0;
  for await (const { kind, cells, line } of kindsOf(file)) {
    if (kind === 'repeated header') headerLine = line;
    const id = idOf(cells);
    if (kind !== 'row' || !isRepeated(id)) continue;
    const known = first.get(id);
    if (known === undefined) first.set(id, { line, headerLine });
    else if (known.headerLine !== headerLine) return { headerLine, lines: [known.line, line] };
  }
  return undefined;
}

async function* kindsOf({ read, classify }: Parameters<typeof findOverlap>[0]) {
  let kind: RowKind = 'note';
  for await (const record of read()) {
    if (!('cells' in record)) continue;
    kind = nextKind(classify(record.cells), kind);
    yield { kind, cells: record.cells, line: record.line };
  }
}

function idOf(cells: readonly string[]): string {
  return cells.map((cell) => cell.trim()).join('\n');
}
