import type { Question } from '../../statement.js';
import { balanceIncludes, type InterpretationFacts } from '../findings/interpretation-facts.js';
import { canonicalStatus, findDiscardWord, isFlagSet, isReservation, plainCell, readStatus } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import { bookingDateHeaders, headerList, headerWords, kindHeaders } from '../table/header-names.js';

type ColumnKind = 'booking' | 'exclusion' | 'flag' | 'reason' | 'status' | 'text' | 'type' | 'other';

interface Column {
  readonly header: string;
  readonly position: number;
  readonly kind: ColumnKind;
  /** The first marked row. */
  first: Mark | undefined;
  rowCount: number;
  /** Whether another row has a normal value in this column, so that a mark is unusual there; see {@link isNormal}. */
  hasNormal: boolean;
}

interface Mark {
  readonly line: number;
  /** The text of the cell that marks the row; empty if an empty cell marks it. */
  readonly text: string;
  /** The value of `--final-status` with which the user can accept the marked rows as final. */
  readonly word: string;
}

/**
 * Finds rows that are pending, did not happen or were excluded, although the text of the status column does not say so. A row is marked in
 * one of these ways:
 *
 * - A cell outside the status column has a status or a type that means that the payment is pending or did not happen: `Type` is `Pending`
 *   or `Card hold`.
 * - A cell of a column such as `Type` names a reservation or an authorization: `Type` is `Reservation`. This does not count in an export of
 *   rented homes or sports grounds, in which a reservation is an income.
 * - A flag says that the row is only scheduled, or that it failed, or was deleted, voided, declined, cancelled or reversed: `Scheduled` is
 *   `Yes`.
 * - There is a reason for a failure: `Decline Reason` is filled.
 * - A text begins with "declined" or "void" and a separator: `DECLINED - HOTEL`.
 * - The day of booking is empty, the status is empty, or `Booked` is `No`. This counts only if another row has a day, a final status or
 *   `Yes` in that column.
 * - The user of an app excluded the row: `Ignore` is neither empty nor a "no". This counts only if `Ignore` is empty or a "no" in another
 *   row.
 *
 * A row with a known final status is marked only if the user of an app excluded it.
 */
export class PendingMarkTally {
  readonly #columns: readonly Column[];
  readonly #directionPosition: number | undefined;
  readonly #directionWords: ReadonlySet<string>;

  /**
   * @param positions the positions of the used columns
   * @param directionWords the words that options declare as expenses or incomes; in the direction column, such a word is no mark
   */
  constructor(headers: readonly string[], positions: ColumnPositions, directionWords: readonly string[]) {
    const { date, amount, debit, credit, status, description, merchant } = positions;
    this.#directionPosition = positions.direction;
    this.#directionWords = new Set(directionWords.map(canonicalStatus));
    const words = headers.map(headerWords);
    const file = {
      hasBookingDate: words.some((header) => bookingDateHeaders.has(header)),
      hasSecurities: words.some((header) => securityHeaders.has(header)),
      hasStays: words.some((header) => stayHeaders.has(header)),
    };
    this.#columns = headers.flatMap((header, position) => {
      if ([date, amount, debit, credit].includes(position)) return [];
      const isText = position === description || position === merchant;
      const kind = position === status ? 'status' : isText ? 'text' : kindOf(headerWords(header), file);
      return [{ header: header.trim(), position, kind, first: undefined, rowCount: 0, hasNormal: false }];
    });
  }

  /** @param row.status the text of the status column; `row.final` the statuses that the user declared final */
  add(
    line: number,
    cells: readonly string[],
    row: { readonly status: string; readonly final: ReadonlySet<string> },
  ): void {
    const isFinal = row.status !== '' && readStatus(row.status) === 'final';
    for (const column of this.#columns) {
      const cell = cells[column.position] ?? '';
      if (cell.length > statusCharactersMax && findDiscardWord(cell) === undefined) continue;
      const text = plainCell(cell);
      if (column.position === this.#directionPosition && this.#directionWords.has(canonicalStatus(text))) continue;
      if (isNormal(column.kind, text)) column.hasNormal = true;
      const word = isFinal && column.kind !== 'exclusion' ? undefined : findMark(column, text);
      if (word === undefined || row.final.has(word)) continue;
      column.first ??= { line, text, word };
      column.rowCount += 1;
    }
  }

  /**
   * Returns a question about the marked rows of the first column that has such rows. If the balance column counts the amount of the
   * first of them, the bank has booked it, and no question is asked about the column.
   */
  findQuestion(facts: Pick<InterpretationFacts, 'balance' | 'newestWithoutBalance'>): Question | undefined {
    for (const column of this.#columns) {
      const { kind, first, hasNormal } = column;
      if (first === undefined || (requiresNormal(kind) && !hasNormal)) continue;
      return balanceIncludes(first.line, facts) ? undefined : describeMarks(column, first);
    }
    return undefined;
  }
}

function describeMarks({ header, kind, rowCount }: Column, { line, text, word }: Mark): Question {
  const isExcluded = kind === 'exclusion';
  const rows = rowCount === 1 ? 'A row' : `${rowCount} rows`;
  const cell = text === '' ? 'an empty cell' : `"${text}"`;
  const origin = word === headerWords(header) ? ', which is the name of the column' : '';
  return {
    message: `${rows} may ${isExcluded ? 'have been excluded by the user of an app' : 'be pending, or may not have happened'}: line ${line} has ${cell} in the column "${header}".`,
    remedy: `Take such rows out of the file. If they are ${isExcluded ? 'transactions of the account' : 'final'}, use --final-status "${word}"${origin}.`,
    requiresOption: true,
  };
}

/** Returns whether a mark in a column of this kind counts only if another row has a normal value in this column; see {@link isNormal}. */
function requiresNormal(kind: ColumnKind): boolean {
  return kind === 'booking' || kind === 'status' || kind === 'exclusion';
}

/**
 * Returns whether a cell has a normal value, so that a mark in its column is unusual: the cell has a date, a final status or a "yes", or
 * says that its own row is not excluded.
 */
function isNormal(kind: ColumnKind, text: string): boolean {
  if (kind === 'exclusion') return isIncluded(text);
  if (kind === 'status') return text !== '' && readStatus(text) === 'final';
  return kind === 'booking' && (/\d{2}/.test(text) || isYes(text));
}

function isYes(text: string): boolean {
  return isFlagSet(text) || yesWords.has(canonicalStatus(text));
}

/** Returns whether a cell of a column such as `Ignore` says that the row is not excluded. */
function isIncluded(text: string): boolean {
  return /^(|-+|none|off)$/i.test(text) || noWords.has(canonicalStatus(text));
}

/**
 * Returns the value of `--final-status` with which the user can accept a row with this cell as final; undefined if the cell does not mark
 * the row.
 */
function findMark({ kind, header }: Column, text: string): string | undefined {
  if (kind === 'status') return text === '' ? emptyWord : undefined;
  if (kind === 'flag' && isYes(text)) return headerWords(header);
  if (kind === 'exclusion') return isIncluded(text) ? undefined : headerWords(header);
  if (kind === 'reason') return text === '' ? undefined : 'declined';
  if (kind === 'booking' && text === '') return emptyWord;
  const discardWord = findDiscardWord(text);
  if (discardWord !== undefined) return discardWord;
  const status = canonicalStatus(text);
  if (kind === 'booking' && noWords.has(status)) return status;
  // Brokers write `Expired` for option contracts, so this word is not a mark.
  if (/[\d:,;]/.test(text) || status === 'expired') return undefined;
  if (kind !== 'text' && holdTypes.has(status)) return status;
  if (isReservation(status)) return kind === 'type' ? status : undefined;
  const meaning = readStatus(text);
  // A description such as "Refused" may be the name of a merchant.
  return meaning === 'pending' || (meaning === 'discarded' && kind !== 'text') ? status : undefined;
}

function kindOf(
  words: string,
  file: { readonly hasBookingDate: boolean; readonly hasSecurities: boolean; readonly hasStays: boolean },
): ColumnKind {
  const { hasBookingDate, hasSecurities, hasStays } = file;
  // Brokers write a settlement date only for trades. If another column has the day of booking, an empty settlement date is not a mark.
  if (words === 'settlement date' && !hasBookingDate) return 'booking';
  if (settledDateHeaders.has(words) && !hasBookingDate && !hasSecurities) return 'booking';
  if (bookingDateHeaders.has(words) || bookedFlagHeaders.has(words)) return 'booking';
  if (eventFlagHeaders.has(words)) return 'flag';
  if (exclusionHeaders.has(words)) return 'exclusion';
  if (reasonHeaders.has(words)) return 'reason';
  return kindHeaders.has(words) && !hasStays ? 'type' : 'other';
}

/** The maximum length of a cell that can be a status. Longer cells are texts. */
const statusCharactersMax = 30;
const emptyWord = 'pending';
const bookedFlagHeaders: ReadonlySet<string> = new Set(
  headerList(
    'booked; is booked; posted; is posted; settled; is settled; gebucht; verbucht; comptabilisé; contabilizado; zaksięgowano',
  ),
);
/** Headers of the day on which a payment was settled. Banks use these headers, and some brokers too. */
const settledDateHeaders: ReadonlySet<string> = new Set(
  headerList('settled date; date settled; settled on; settled at; date of settlement'),
);
/** Headers that occur only in files of brokers. */
const securityHeaders: ReadonlySet<string> = new Set(
  headerList(
    'symbol; ticker; isin; cusip; security; security name; instrument; quantity; qty; shares; units; trade date',
  ),
);
/**
 * Headers of rented homes, rooms and sports grounds. In a file with such a column, a row of the type `Reservation` is an income.
 * `Booking number` and `Reservation number` are deliberately not in this list, because files of banks have such columns too.
 */
const stayHeaders: ReadonlySet<string> = new Set(
  headerList(`
    nights; number of nights; room nights; guest; guest name; listing; listing name; property; property id; property name; start date;
    check in; check in date; checkin; checkin date; check out; check out date; checkout; checkout date; arrival; arrival date; departure;
    departure date; tee time; confirmation code`),
);
const eventFlagHeaders: ReadonlySet<string> = new Set(
  headerList(
    'scheduled; is scheduled; prévu; geplant; previsto; programado; planificado; pianificato; gepland; zaplanowane; planlagt; planerad; deleted; is deleted; voided; is voided; void; declined; is declined; cancelled; canceled; reversed; is reversed; failed; is failed; anulado; anulada; cancelado; cancelada; rechazado; rechazada; annulé; refusé; annullato; rifiutato; storniert; abgelehnt; geannuleerd; geweigerd; anulowano; odrzucono',
  ),
);
const exclusionHeaders: ReadonlySet<string> = new Set(
  headerList(`
    ignore; ignored; is ignored; exclude; excluded; is excluded; hide; hidden; is hidden; ignorieren; ignoriert; ausgeschlossen;
    ausgeblendet; versteckt; ignoré; exclu; masqué; ignorado; excluido; excluído; oculto; escluso; nascosto; genegeerd; uitgesloten;
    verborgen`),
);
const reasonHeaders: ReadonlySet<string> = new Set(
  headerList(`
    void reason; decline reason; declined reason; failure reason; rejection reason; reject reason; ablehnungsgrund; reden van weigering;
    reden weigering; motif du refus; motif de refus; motif du rejet`),
);
/** Types of holds. In a description, such a word may name a payment: `Retención` is also a withheld tax. */
const holdTypes: ReadonlySet<string> = new Set([
  'card hold',
  'reservering',
  'reservasjon',
  'retención',
  'provizyon',
  'zárolás',
]);
const noWords: ReadonlySet<string> = new Set([
  'no',
  'n',
  'false',
  '0',
  'nein',
  'non',
  'nie',
  'não',
  'nee',
  'nej',
  'nei',
]);
const yesWords: ReadonlySet<string> = new Set(['ja', 'oui', 'sí', 'si', 'sim', 'tak', 'j']);
