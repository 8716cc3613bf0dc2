import type { StatementTransaction } from '../../statement.js';
import { StatementError } from '../../statement-error.js';
import { parseAmount } from '../../values/amounts.js';
import { isoCodes } from '../../values/currency-names.js';
import { dateCandidates, withoutTime } from '../../values/dates.js';
import {
  type ColumnPositions,
  type CsvColumnName,
  type CsvColumns,
  canonicalHeader,
  nameColumns,
  requirePositions,
} from './columns.js';
import {
  balanceImpactHeaders,
  headerNamesBalance,
  headerWords,
  kindHeaders,
  pendingFlagHeaders,
} from './header-names.js';

/** The cells of a row, and the positions of the columns. */
export interface RowCells {
  readonly cells: readonly string[];
  readonly positions: ColumnPositions;
  /** Whether Centavo wrote the file, and therefore put an apostrophe before texts that look like formulas. */
  readonly isCentavoExport: boolean;
}

/** Returns the text of a column; undefined if there is no such column, or the cell is empty. */
export function cellOf(row: RowCells, name: CsvColumnName): string | undefined {
  const position = row.positions[name];
  const text = position === undefined ? '' : plainCell(row.cells[position] ?? '');
  if (text === '') return undefined;
  return row.isCentavoExport ? withoutGuard(text) : text;
}

/** Returns the text of a column as a single line, as the API requires for names; null if there is no text. */
export function nameOf(row: RowCells, name: CsvColumnName): string | null {
  const text = cellOf(row, name);
  return text === undefined ? null : onOneLine(text);
}

/**
 * Returns a cell without surrounding spaces, and without the `="…"` that prevents spreadsheets from turning text into
 * numbers.
 */
export function plainCell(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text;
}

/** Replaces every run of white space by one space, because the API refuses line breaks in names of merchants, categories and accounts. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Returns whether a cell is a date in some known format. */
export function isDateCell(cell: string): boolean {
  const date = withoutTime(cell.trim());
  return /\p{Nd}/u.test(date) && date.length <= 40 && dateCandidates.some(({ read }) => read(date) !== undefined);
}

/**
 * Returns whether a cell is an amount. Its decimals, if any, follow a point or a comma. A cell with ten or more consecutive
 * digits is treated as an account number.
 */
export function isAmountCell(cell: string): boolean {
  if (!/\p{Nd}/u.test(cell) || /\p{Nd}{10,}/u.test(cell)) return false;
  return parseAmount(cell, '.') !== undefined || parseAmount(cell, ',') !== undefined;
}

/** Returns whether a cell is the ISO code of a currency. */
export function isCurrencyCode(cell: string): boolean {
  return isoCodes.has(cell);
}

/** Returns whether a row has a date, and an amount in another cell. */
export function looksLikeTransaction(cells: readonly string[]): boolean {
  const date = cells.findIndex(isDateCell);
  return date !== -1 && cells.some((cell, index) => index !== date && isAmountCell(cell) && !isDateCell(cell));
}

/** Reads the data that only files of `centavo movements export` contain. */
export interface CentavoExport {
  /** If the row is a leg of a transfer, returns its transfer group. If not, returns its movement id, or nothing if the id is not a UUID. */
  readOrigin(cells: readonly string[]): Pick<StatementTransaction, 'transferGroupId' | 'movementId'>;
}

/** Recognizes a file of `centavo movements export` by its headers; returns undefined for other files. */
export function findCentavoExport(headers: readonly string[]): CentavoExport | undefined {
  const known = headers.map(canonicalHeader);
  const isCentavoExport = centavoHeaders.every((header) => known.includes(canonicalHeader(header)));
  if (!isCentavoExport) return undefined;
  const [kind, group, id] = ['kind', 'transfergroupid', 'id'].map((name) => known.indexOf(name)) as [
    number,
    number,
    number,
  ];
  return {
    readOrigin: (cells) => {
      if (cells[kind]?.trim() === 'transfer') return { transferGroupId: cells[group]?.trim() ?? '' };
      const movementId = cells[id]?.trim() ?? '';
      return uuid.test(movementId) ? { movementId } : {};
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const centavoHeaders = [
  'occurredOn',
  'type',
  'kind',
  'amountDecimal',
  'currencyCode',
  'accountName',
  'transferGroupId',
];

/** Removes the apostrophe that `centavo movements export` puts before texts that look like a formula to a spreadsheet. */
export function withoutGuard(text: string): string {
  return text.replace(/^'(?='*[=+\-@\t\r])/, '').trim();
}

/** The meaning of a status, see {@link readStatus}. */
export type StatusKind = 'final' | 'skipped' | 'pending' | 'discarded' | 'reversed' | 'unknown';

/** Statuses whose meaning the user declared, normalized by {@link canonicalStatus}. The declared meaning overrides the built-in one. */
export interface DeclaredStatuses {
  readonly final: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
}

const noDeclaredStatuses: DeclaredStatuses = { final: new Set(), skipped: new Set() };

/**
 * Returns the meaning of a status:
 *
 * - `final`: the transaction is booked. An empty cell also means `final`.
 * - `pending`: the bank may still change or drop the row.
 * - `discarded`: the transaction did not happen.
 * - `reversed`: the transaction was reversed, for example refunded.
 * - `skipped`: the user declared the status not final.
 * - `unknown`: all other statuses.
 *
 * The reader skips all rows that are neither `final` nor `unknown`, with two exceptions (see `findPendingRows`):
 *
 * - It records a row whose amount is included in the running balance of the file.
 * - It records a `reversed` row if the file also has the row that reverses it.
 *
 * If the reader skips a row, it also skips the row that reverses that row.
 */
export function readStatus(text: string, declared = noDeclaredStatuses): StatusKind {
  const status = canonicalStatus(text);
  if (status === '' || declared.final.has(status)) return 'final';
  if (declared.skipped.has(status)) return 'skipped';
  if (finalWords.has(status)) return 'final';
  if (pendingWords.has(status) || reservationWords.has(status)) return 'pending';
  if (discardedWords.has(status)) return 'discarded';
  return reversedWords.has(status) ? 'reversed' : 'unknown';
}

/**
 * Returns whether a cell names an authorization hold. Banks also call it a reservation; in a description, that word may mean the booking of
 * a hotel.
 */
export function isReservation(text: string): boolean {
  return reservationWords.has(canonicalStatus(text));
}

/** Returns whether a cell says that the transaction is pending. Some banks write this into the date column. */
export function isPendingStatus(text: string): boolean {
  return pendingWords.has(canonicalStatus(text));
}

/**
 * Returns the word that says that a payment did not happen. The word begins the text and a separator follows, as in `DECLINED - HOTEL` or
 * `VOID: Rent`; or the word ends the text after a separator or in brackets, as in `HOTEL - DECLINED` or `HOTEL (declined)`; or the text has
 * only a word for a payment beside it, as in `Zahlung abgelehnt`. Returns undefined for other texts, and for texts that name a fee or a
 * dispute.
 */
export function findDiscardWord(text: string): string | undefined {
  const word = discardAtStart.exec(text)?.[1] ?? discardAtEnd.exec(text)?.[1] ?? discardAlone.exec(text)?.[1];
  return word?.toLowerCase();
}

const discardAtStart = /^\W{0,3}(declined(?=\s*\*)|(?:declined|voided|void)(?=\s*[-:–—|/]))(?!.*\bfees?\b)/isu;
const refused = 'declined|abgelehnt|rechazad[oa]|refus[ée]e?|rifiutat[oa]|recusad[oa]|odrzucon[aoy]|geweigerd';
const discardAtEnd = new RegExp(
  `^(?!.*(?:fee|frais|gebühr|dispute|chargeback|rücklast|refund)).*(?:\\s[-–—|/]\\s*|[([]\\s*)(${refused})\\s*(?:[)\\]]|\\([^()]*\\))?$`,
  'iu',
);
const discardAlone = new RegExp(
  `^(?:(?:card )?(?:payment|transaction)|(?:karten)?(?:zahlung|transaktion)|pago|paiement|pagamento|p[łl]atno[śs][ćc]|betaling) (${refused})$`,
  'iu',
);

/** Returns the position of a column whose flags say which rows are pending; -1 if there is none. */
export function findPendingFlag(headers: readonly string[]): number {
  return headers.findIndex((header) => pendingFlagHeaders.has(headerWords(header)));
}

/**
 * Returns whether a row of PayPal is an authorization, or the void of one. Such a row never changes the balance, even if its status is
 * `Completed`. PayPal gives it the balance impact `Memo`, in a column that is not in all exports.
 */
export function isMemo(cells: readonly string[], { kind, impact }: MemoPositions): boolean {
  return memoKinds.has(canonicalStatus(cells[kind] ?? '')) || /^m[ée]mo$/iu.test(cells[impact]?.trim() ?? '');
}

/** The positions of the columns with the kind and the balance impact of each transaction; -1 if there is none. */
export interface MemoPositions {
  readonly kind: number;
  readonly impact: number;
}

export function findMemoPositions(headers: readonly string[]): MemoPositions {
  const words = headers.map(headerWords);
  return {
    kind: words.findIndex((header) => kindHeaders.has(header)),
    impact: words.findIndex((header) => balanceImpactHeaders.has(header)),
  };
}

const memoKinds: ReadonlySet<string> = new Set([
  'general authorization',
  'void of authorization',
  'allgemeine autorisierung',
]);

export function isFlagSet(cell: string | undefined): boolean {
  return cell !== undefined && /^(true|yes|y|1|x)$/i.test(cell.trim());
}

/** Returns the same text for statuses that differ only in case, spaces or Unicode form. A no-break space is a space. */
export function canonicalStatus(text: string): string {
  if (text === '') return text;
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map(canonicalStatus));
}

const pendingWords = wordsOf(`
  pending, processing, in progress, authorised, authorized, authorisation, authorization, on hold, hold, unposted,
  not posted, reserved, scheduled, upcoming, vorgemerkt, umsatz vorgemerkt, vormerkung, offen, ausstehend, in bearbeitung, pendiente,
  pendiente de liquidar, en proceso, en attente, à venir, en cours, in behandeling, gereserveerd, in attesa,
  in sospeso, da contabilizzare, non contabilizzato, pendente, em processamento, oczekująca, oczekujące, oczekuje,
  w realizacji,
  blokada, reserverad, reserverat, reserverat belopp, reserverat köp, kortreservation, köpreservation, reservert, reservert beløp,
  reservert transaksjon, reserveret, reserveret beløb, varaus, katevaraus, varattu, čekající, nezaúčtováno, függőben, zárolt, в обработке,
  ожидает, ожидание, hold (pending), preliminär, preliminärt, venter, afventer, afventende, väntande, odotetaan, 处理中,
  等待付款, 待处理, 処理中, 未確定, 처리중, bekliyor, beklemede, đang xử lý, chờ xử lý, în așteptare, în curs de procesare,
  σε εκκρεμότητα, ממתין, معلقة, معلق, قيد المعالجة, rezervuota, vykdoma,
  a venir, u obradi, v obdelavi, ootel, apstrādē, чакаща, холд, в обробці, очікує, folyamatban, óbókað, รอดำเนินการ, unsettled,
  agendado, agendada, katevaraus`);

const reservationWords = wordsOf(`
  reservation, card reservation, card authorization, card authorisation, card auth, auth hold, authorization hold, authorisation hold,
  purchase authorization, purchase authorisation,
  pre-authorization, pre-authorisation, preauthorization, preauthorisation, pre-auth, preauth, reservierung, kartenreservierung,
  autorisierung, kartenautorisierung, vorautorisierung, réservation, autorisation, préautorisation, pré-autorisation, autorización,
  preautorización, autorizzazione, preautorizzazione, autorização, pré-autorização, autorisatie, kaartreservering, reservering,
  reservasjon, kortreservasjon, autorisasjon, auktorisering, autoryzacja, rezerwacja, rezervace, autorizace, blokace, rezervácia,
  rezervare, autorizare, rezervacija, autorizacija, zárolás, provizyon, bloke, резервирование, авторизация, резервування, авторизація`);

const discardedWords = wordsOf(`
  insufficient funds, insufficient balance, card blocked, do not honor, do not honour, karte gesperrt, nicht gedeckt, unzureichende deckung,
  fondos insuficientes, saldo insuficiente, fonds insuffisants, provision insuffisante, fondi insufficienti, onvoldoende saldo, brak środków,
  declined, not approved, failed, unsuccessful, blocked, cancelled, canceled, reverted, rejected, denied, refused, expired, voided, void, abgelehnt,
  fehlgeschlagen, rechazada, rechazado, cancelada, cancelado, refusé, refusée, annulé, annulée, geweigerd, geannuleerd,
  afvist, slettet, annulleret, avvist, avbruten, nekad, hylätty, 交易关闭, 交易失败, 支付失败, 已关闭, 已取消, 失败, 失敗, 실패, 취소,
  rifiutato, rifiutata, annullato, annullata, recusada, recusado, odrzucona, odrzucone, anulowana, anulowano, anulowane,
  zamítnuto, elutasítva, отклонена, отклонено, отклонён, отменена, отменено, неуспешно`);

const reversedWords = wordsOf(`
  reversed, returned, refunded, chargeback, charged back, bounced, storniert, zurückgebucht, zurückgegeben, rückgängig gemacht,
  teruggeboekt, gestorneerd, devuelta, devuelto, retrocedido, retornada, devolvida, devolvido, estornada, estornado,
  stornata, stornato, contre-passé, retourné, retournée, zwrócona, zwrócono, 已全额退款, 已退款, 对方已退还, återförd, tilbakeført, возвращён, возвращена`);

/** `GERÇEKLEŞTİ` is a word of its own, because `toLowerCase` does not change `İ` to `i`. */
const finalWords = wordsOf(`
  completed, complete, cleared, posted, booked, settled, processed, paid, done, ok, success, successful, executed, final,
  approved, reconciled, uncleared, gebucht, umsatz gebucht, abgeschlossen, ausgeführt, verwerkt,
  geboekt, uitgevoerd, completado, completada, contabilizado, contabilizada, liquidado, realizado, exécuté, comptabilisé,
  comptabilisée, terminé, effectué, contabilizzato, contabilizzata, eseguito, eseguita, concluído, concluída, efetuado,
  efetivado, efetivada, zrealizowana, zrealizowano, rozliczona,
  zaksięgowana, zaksięgowano, udført, gennemført, utført, genomförd, 交易成功, 支付成功, 已转账, 已存入零钱, 对方已收钱, 朋友已收钱, 已收钱,
  提现已到账, 充值完成, 充值成功, 已到账, 已完成, 成功, 退款成功, 完了, 완료, bogført, bokført, bokförd, bokfört, kirjattu, zaúčtováno, könyvelt, teljesült, исполнено,
  исполнен, выполнено, проведено, tamamlandı, gerçekleşti, GERÇEKLEŞTİ, 確定, thành công, hoàn thành, finalizat, finalizată, ολοκληρωμένη, ολοκληρώθηκε, בוצע, مكتملة, مكتمل,
  įvykdyta, réalisé, réalisée, provedeno, knjiženo, täidetud, izpildīts, осчетоводена, виконано, bókað, สำเร็จ, berjaya,
  lançado, lançada`);

/**
 * A column that has a role, such as date or amount, and whose header occurs more than once. `positions` are the positions of all columns
 * with this header, counted from 0.
 */
export interface RepeatedColumn {
  readonly name: CsvColumnName;
  readonly header: string;
  readonly positions: readonly number[];
}

/**
 * Returns those of `columns` whose headers occur more than once. A second column with the header of the debit/credit codes does not count if
 * it is directly to the right of the balance: its codes belong to the balance, as in exports of Kotak.
 */
export function findRepeatedColumns(
  columns: Partial<CsvColumns>,
  headers: readonly string[],
): readonly RepeatedColumn[] {
  const known = nameColumns(headers).map(canonicalHeader);
  return (Object.entries(columns) as [CsvColumnName, string][]).flatMap(([name, header]) => {
    const wanted = canonicalHeader(header);
    const first = known.indexOf(wanted);
    const isOfBalance = (position: number) =>
      name === 'direction' && position !== first && headerNamesBalance(headers[position - 1] ?? '');
    const positions = known.flatMap((other, position) =>
      other === wanted && !isOfBalance(position) ? [position] : [],
    );
    return positions.length > 1 ? [{ name, header, positions }] : [];
  });
}

/**
 * Returns whether the columns that share a header have different values in this row. An empty text does not differ from the text in the
 * first of the columns, which is the one that is read.
 */
export function cellsDiffer(cells: readonly string[], { name, positions }: RepeatedColumn): boolean {
  const [first = '', ...others] = positions.map((position) => plainCell(cells[position] ?? ''));
  const isText = name === 'description' || name === 'merchant';
  return others.some((cell) => cell !== first && !(isText && cell === ''));
}

/** Returns a clause such as `columns 2 and 3 are both "Amount"`. */
export function describeRepeated({ header, positions }: RepeatedColumn): string {
  const numbers = positions.map((position) => String(position + 1));
  const listed = `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
  return `columns ${listed} are ${numbers.length === 2 ? 'both' : 'all'} "${header}"`;
}

/**
 * Refuses a file if a column that has a role, such as the amount, has the same header as another column, and a row has different values in
 * these columns. The choice of one column would be a guess. Columns with equal values are accepted, because some banks write the currency
 * twice: next to the amount and next to the balance. So are columns of texts if only the first of them is filled.
 *
 * @param file.rows the first rows below the headers; if the values differ only in a later row, only that row fails
 * @throws StatementError whose message contains the first row with different cells, and whose remedy contains the positions by
 *   which the user can name a column
 */
export function requireClearHeaders(file: {
  readonly columns: CsvColumns;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): void {
  const { date = 0 } = requirePositions({ date: file.columns.date }, file.headers);
  // Rows without a date are ignored. They may be totals, and a total may fill other columns than a transaction does.
  const rows = file.rows.filter((cells) => isDateCell(cells[date] ?? ''));
  const unclear = findRepeatedColumns(file.columns, file.headers).flatMap((column) => {
    const row = rows.find((cells) => cellsDiffer(cells, column));
    return row === undefined ? [] : [{ column, row }];
  });
  if (unclear.length === 0) return;
  const questions = unclear.map(({ column, row }) => {
    const cells = column.positions.map((position) => describeCell(row, position)).join(', ');
    const place = `In the row of ${plainCell(row[date] ?? '')}: ${cells}`;
    return `It is not clear which column has the ${column.name}: ${describeRepeated(column)}. ${place}.`;
  });
  const flags = unclear.map(({ column: { name, positions } }) => {
    const places = positions.map((position) => `"column ${position + 1}"`);
    return `--${name}-column ${places.join(' or ')}`;
  });
  throw new StatementError(questions.join(' '), `Name each column by its position: ${flags.join(', ')}.`);
}

/** Returns a clause such as `column 3 has "-20,00" next to "EUR"`. */
function describeCell(cells: readonly string[], position: number): string {
  const textAt = (index: number) => plainCell(cells[index] ?? '');
  const currency = [textAt(position + 1), textAt(position - 1)].find(isCurrencyCode);
  const isAmount = isAmountCell(textAt(position));
  return `column ${position + 1} has "${textAt(position)}"${isAmount && currency !== undefined ? ` next to "${currency}"` : ''}`;
}
