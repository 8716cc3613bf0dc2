import { CategoryNames } from '../../texts.js';
import { OwnAccountTally } from '../columns/own-accounts.js';
import { readSignedMovement } from '../columns/transfer-pairs.js';
import { BalanceSearch } from '../plan/balance-search.js';
import { FundingTally } from '../row/funding-source.js';
import { RowIdCheck } from '../row/row-ids.js';
import { SplitMarks } from '../rows/split-rows.js';
import { findCentavoExport, isPendingStatus, onOneLine, withoutGuard } from '../table/cells.js';
import { type ColumnPositions, requirePositions } from '../table/columns.js';
import { detectColumnsByHeader } from '../table/detect-columns-by-header.js';
import { ColumnEvidence } from './column-evidence.js';
import { FormatEvidence } from './format-evidence.js';
import { PendingEvidence } from './pending-evidence.js';
import { SignEvidence } from './sign-evidence.js';
import type { SurveyRequest } from './survey-request.js';
import { readSurveyedRow, textAt } from './surveyed-row.js';
import { UnrecordedFees } from './unrecorded-fees.js';

/** Collects evidence from all rows of a file. */
export class RowEvidence {
  readonly formats: FormatEvidence;
  readonly columns: ColumnEvidence;
  readonly pending: PendingEvidence;
  readonly signs: SignEvidence;
  readonly ids: RowIdCheck;
  readonly fees: UnrecordedFees;
  readonly ownAccounts: OwnAccountTally;
  readonly funding: FundingTally;
  readonly categories = new CategoryNames();
  /** Whether the text of some row is, or may be, the label of a balance or a total. */
  hasBalanceRows = false;
  /** Whether some row seems to be split into other rows, or to be a part of another row. */
  hasSplitRows = false;
  readonly #positions: ColumnPositions;
  readonly #isCentavoExport: boolean;
  readonly #balances: BalanceSearch;
  readonly #splits: SplitMarks;

  constructor(request: SurveyRequest, positions: ColumnPositions) {
    const { headers } = request.dialect;
    const { account } = requirePositions(detectColumnsByHeader(headers, new Set()), headers);
    this.formats = new FormatEvidence(request, positions);
    this.columns = new ColumnEvidence(request, positions);
    this.pending = new PendingEvidence(request, positions);
    this.signs = new SignEvidence(request, { positions, guesses: this.columns.guesses });
    this.ids = new RowIdCheck(headers, positions.id ?? -1);
    this.fees = new UnrecordedFees(headers, request.columns);
    this.ownAccounts = new OwnAccountTally(headers, { date: positions.date ?? -1, account });
    this.funding = new FundingTally(headers);
    this.#positions = positions;
    this.#isCentavoExport = findCentavoExport(headers) !== undefined;
    this.#balances = new BalanceSearch(positions);
    this.#splits = new SplitMarks(headers, this.#isCentavoExport ? undefined : positions.category);
  }

  add(line: number, cells: readonly string[]): void {
    this.ids.add(cells);
    this.columns.addTexts(cells);
    const row = readSurveyedRow(line, cells, this.#positions);
    if (row === undefined) return;
    this.formats.addDates(row);
    this.#addCategory(cells);
    this.hasSplitRows ||= this.#splits.isMarked(cells);
    const status = this.pending.addStatus(row);
    const namesBalance = this.#balances.find(cells) !== undefined;
    this.hasBalanceRows ||= namesBalance || this.#mentionsBalance(cells);
    if (namesBalance) return;
    const isFinal = !isPendingStatus(row.date) && (status === 'final' || status === 'unknown');
    this.ownAccounts.add(cells, () => readSignedMovement(row));
    this.columns.add(row, isFinal);
    this.formats.addAmounts(row);
    this.signs.add(row);
    if (!isFinal) return;
    this.pending.addFinal(row, status);
    this.fees.add(cells);
    this.funding.add(line, cells);
  }

  #addCategory(cells: readonly string[]): void {
    const category = onOneLine(textAt(cells, this.#positions.category));
    this.categories.add(this.#isCentavoExport ? withoutGuard(category) : category);
  }

  #mentionsBalance(cells: readonly string[]): boolean {
    return (
      this.#balances.findMention(cells) !== undefined ||
      this.#balances.findTotalMention(cells) !== undefined ||
      this.#balances.findPeriod(cells) !== undefined
    );
  }
}
