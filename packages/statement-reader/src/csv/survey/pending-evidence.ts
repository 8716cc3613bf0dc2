import { titleOf } from '../lines/other-tables.js';
import { AsteriskTally } from '../pending/asterisks.js';
import { PendingMarkTally } from '../pending/pending-marks.js';
import { PendingTexts } from '../pending/pending-texts.js';
import { StatusTally } from '../pending/status-tally.js';
import {
  findMemoPositions,
  findPendingFlag,
  isFlagSet,
  isMemo,
  type MemoPositions,
  type StatusKind,
} from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import type { SurveyRequest } from './survey-request.js';
import type { SurveyedRow } from './surveyed-row.js';

/** Collects evidence about rows that are pending, or that did not happen. */
export class PendingEvidence {
  readonly statuses: StatusTally;
  readonly texts = new PendingTexts();
  readonly marks: PendingMarkTally;
  readonly asterisks: AsteriskTally;
  readonly #flagPosition: number;
  readonly #memo: MemoPositions;

  constructor({ dialect: { headers }, options }: SurveyRequest, positions: ColumnPositions) {
    this.statuses = new StatusTally(options);
    this.marks = new PendingMarkTally(headers, positions, [...options.expenseWords, ...options.incomeWords]);
    this.asterisks = new AsteriskTally([positions.description, positions.merchant]);
    this.#flagPosition = findPendingFlag(headers);
    this.#memo = findMemoPositions(headers);
  }

  /** Adds the status of a row, and returns its kind. */
  addStatus({ status, cells }: SurveyedRow): StatusKind {
    return this.statuses.add(status, isFlagSet(cells[this.#flagPosition]) || isMemo(cells, this.#memo));
  }

  /** Adds a row whose date and status do not say that it is pending. @param kind the kind of its status */
  addFinal({ line, cells, status, description, merchant }: SurveyedRow, kind: StatusKind): void {
    const { final } = this.statuses.declared;
    const isKnownFinal = kind === 'final' && status !== '';
    this.marks.add(line, cells, { status, final });
    if (!isKnownFinal && !final.has('*')) this.asterisks.add(line, cells);
    this.texts.add(line, [description, merchant], final);
  }

  /** Adds a line that is not a row. It may be a title above pending rows, or a note that explains an asterisk. */
  addNote(cells: readonly string[], kind: 'preamble' | 'note' | 'continuation'): void {
    if (kind !== 'continuation') this.texts.addTitle(titleOf(cells));
    this.asterisks.addNote(cells);
  }
}
