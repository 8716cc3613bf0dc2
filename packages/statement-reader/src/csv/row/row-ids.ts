import { externalIdLengthMax, withoutFormatCharacters } from '@centavo/contracts/calls';
import { RepeatedIds } from '../../repeated-ids.js';
import type { StatementSource } from '../../source.js';
import type { Question } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import { toStatementId } from '../../texts.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { rowClassifier } from '../lines/row-kind.js';
import { findCentavoExport, onOneLine, plainCell } from '../table/cells.js';
import { type ColumnPositions, canonicalHeader } from '../table/columns.js';
import { headerWords, plainIdHeader, rowIdHeaders } from '../table/header-names.js';
import { type Dialect, recordsBelowHeaders } from '../table/reader.js';

/**
 * Returns the header of the column that may contain the ids that the bank gave to the rows. Returns undefined if there is no such
 * header, if several columns have this header, or if the file is an export of Centavo. The ids in such an export are those of
 * movements in Centavo, not those of the bank. {@link RowIdCheck} checks the cells of the column that was found.
 */
export function findRowIdHeader(headers: readonly string[]): string | undefined {
  if (findCentavoExport(headers) !== undefined) return undefined;
  const known = headers.map(headerWords);
  const isOfSwedbank = swedbankHeaders.every((words) => known.includes(words));
  const idHeaders = [...rowIdHeaders, plainIdHeader, ...(isOfSwedbank ? ['transfer reference'] : [])];
  const position = idHeaders.map((words) => known.indexOf(words)).find((found) => found !== -1);
  const header = headers[position ?? -1];
  if (header === undefined) return undefined;
  const isUnique = headers.filter((other) => canonicalHeader(other) === canonicalHeader(header)).length === 1;
  return isUnique ? header : undefined;
}

/**
 * Headers of the English exports of Swedbank in the Baltic states. Beside them, `Transfer reference` is the id that the bank gave the
 * transaction (its archiving id, in Estonian `arhiveerimistunnus`). In other files, a transfer reference may be a text of the payer.
 */
const swedbankHeaders = ['client account', 'row type'];

/**
 * Returns the bank's id in a cell, in the form that the API accepts. Returns null for an empty cell, for a placeholder such as `NONREF`,
 * and for an id that is too long.
 */
export function readRowId(cell: string | undefined): string | null {
  const id = readAnyId(cell);
  return id === null || isTooLong(id) ? null : id;
}

function readAnyId(cell: string | undefined): string | null {
  return toStatementId(withoutFormatCharacters(onOneLine(plainCell(cell ?? ''))));
}

/** Returns whether an id is longer than the API allows, in code points. */
function isTooLong(id: string): boolean {
  return id.length > externalIdLengthMax && [...id].length > externalIdLengthMax;
}

/** Searches the ids of all rows of a file for repeated, short and too long ids. Stores a hash in eight bytes for each id. */
export class RowIdCheck {
  readonly #position: number;
  readonly #lengthMin: number;
  readonly #ids = new RepeatedIds();
  #hasShort = false;
  #longCount = 0;
  /** An id that two rows have; undefined if there is none. */
  #repeated: RepeatedId | undefined;

  /** @param position the position of the id column, from 0; -1 if there is none */
  constructor(headers: readonly string[], position: number) {
    this.#position = position;
    this.#lengthMin = headerWords(headers[position] ?? '') === plainIdHeader ? plainIdLengthMin : idLengthMin;
  }

  add(cells: readonly string[]): void {
    const id = this.#position === -1 ? null : readAnyId(cells[this.#position]);
    if (id === null) return;
    if (isTooLong(id)) {
      this.#longCount += 1;
      return;
    }
    this.#ids.add(id);
    if (id.replace(/^0+/, '').length < this.#lengthMin) this.#hasShort = true;
  }

  /** Whether some ids are so short that they are possibly row numbers, which begin again at 1 in the next file. */
  get hasShort(): boolean {
    return this.#hasShort;
  }

  /** Whether two rows have the same id. If so, the ids of the file are not used. */
  get hasRepeated(): boolean {
    return this.#repeated !== undefined;
  }

  /**
   * Searches for an id that two rows have. Prefers an id whose two rows have equal cells. Reads the file again only if the ids of two rows
   * have the same hash.
   */
  async searchRepeated(file: {
    readonly source: StatementSource;
    readonly dialect: Dialect;
    readonly positions: ColumnPositions;
  }): Promise<void> {
    const mayRepeat = this.#ids.finish();
    if (!this.#ids.hasRepeated) return;
    const classify = rowClassifier({ headers: file.dialect.headers, positions: file.positions });
    const rowOf = new Map<string, { readonly line: number; readonly cells: readonly string[] }>();
    for await (const record of recordsBelowHeaders(file.source, file.dialect)) {
      if (!('cells' in record) || classify(record.cells) !== 'row') continue;
      const id = readRowId(record.cells[this.#position]);
      if (id === null || !mayRepeat(id)) continue;
      const { line, cells } = record;
      const first = rowOf.get(id);
      if (first !== undefined) {
        const areEqual = cells.join('\n') === first.cells.join('\n');
        if (areEqual || this.#repeated === undefined) this.#repeated = { id, lines: [first.line, line], areEqual };
        if (areEqual) break;
      } else if (rowOf.size < candidatesMax) rowOf.set(id, { line, cells });
    }
  }

  /**
   * @param header the header of the id column
   * @throws StatementError if two rows have the same id
   */
  requireUnique(header: string): void {
    if (this.#repeated === undefined) return;
    const { id, lines } = this.#repeated;
    throw new StatementError(
      `The column "${header}" has "${id}" in lines ${lines.join(' and ')}, so its values do not identify the rows.`,
      'Name another column with --id-column, or use --id-column "" to import the rows without ids.',
    );
  }

  /** A clause about the ids that are not used, such as `, not used: lines 4 and 7 both have "20260313"`; empty if all ids are used. */
  get unused(): string {
    if (this.#repeated !== undefined) {
      return `, not used: lines ${this.#repeated.lines.join(' and ')} both have "${this.#repeated.id}"`;
    }
    const count = this.#longCount;
    if (count === 0) return '';
    return `; not used: ${count} ${count === 1 ? 'id' : 'ids'} of more than ${externalIdLengthMax} characters`;
  }

  /** Returns a question if two equal rows have the same id, unless the balance column shows that both are transactions. */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    if (this.#repeated === undefined || !this.#repeated.areEqual || balance?.kind === 'agrees') return undefined;
    const { id, lines } = this.#repeated;
    return {
      message: `Lines ${lines.join(' and ')} are equal and have the id "${id}": the file may contain rows twice.`,
      remedy: 'Take the copies out of the file. If each row is a transaction, use --id-column "".',
      requiresOption: true,
    };
  }
}

/** An id that two rows of a file have, and the lines of these rows. */
interface RepeatedId {
  readonly id: string;
  readonly lines: readonly [number, number];
  /** Whether the two rows are equal, so that one may be a copy of the other. */
  readonly areEqual: boolean;
}

/** The minimum length of an id without its leading zeros. A shorter id is possibly the number of a row in the file. */
const idLengthMin = 6;

/** The minimum length of ids in a column whose header is only "ID": such columns often have short numbers. */
const plainIdLengthMin = 16;

/**
 * The maximum number of ids that `searchRepeated` stores with their rows. It stores only ids whose hash occurs more
 * than once. Nearly all of these ids are repeated, because different ids rarely have the same hash.
 */
const candidatesMax = 1_000;
