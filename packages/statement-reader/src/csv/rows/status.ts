/** What a status says about its transaction. */
export type StatusKind = 'final' | 'pending' | 'discarded' | 'reversed' | 'unknown';

/**
 * Returns what a status means. Banks change or drop pending rows; discarded ones did not happen. A reversed row moves
 * nothing in the end, because no status says that another row reverses it. An empty cell is final.
 *
 * @param finalStatuses statuses that the user called final, as {@link canonicalStatus} spells them; they override the
 *   known ones
 */
export function readStatus(text: string, finalStatuses: ReadonlySet<string> = new Set()): StatusKind {
  const status = canonicalStatus(text);
  if (status === '' || finalStatuses.has(status) || finalWords.has(status)) return 'final';
  if (pendingWords.has(status)) return 'pending';
  if (discardedWords.has(status)) return 'discarded';
  return reversedWords.has(status) ? 'reversed' : 'unknown';
}

/** Returns whether a cell says that the transaction is not final. Some banks write it into the date column. */
export function isPendingStatus(text: string): boolean {
  return pendingWords.has(canonicalStatus(text));
}

/** Returns one spelling for statuses that differ only in case or Unicode form. */
export function canonicalStatus(text: string): string {
  if (text === '') return text;
  return text.normalize('NFC').trim().toLowerCase();
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map(canonicalStatus));
}

const pendingWords = wordsOf(`
  pending, processing, in progress, authorised, authorized, authorisation, authorization, on hold, hold, unposted,
  not posted, scheduled, upcoming, vorgemerkt, umsatz vorgemerkt, vormerkung, offen, ausstehend, in bearbeitung, pendiente,
  pendiente de liquidar, en proceso, en attente, à venir, en cours, in behandeling, gereserveerd, in attesa,
  da contabilizzare, non contabilizzato, pendente, em processamento, oczekująca, oczekujące, oczekuje, w realizacji,
  blokada, reserverad, reserverat, reservert, reserveret, varaus, čekající, nezaúčtováno, függőben, zárolt, в обработке,
  ожидает, ожидание, hold (pending), venter, afventer, afventende, väntande, odotetaan, 处理中,
  等待付款, 待处理, 処理中, 처리중, bekliyor, beklemede`);

const discardedWords = wordsOf(`
  declined, not approved, failed, unsuccessful, blocked, cancelled, canceled, reverted, rejected, denied, refused, expired, voided, void, abgelehnt,
  fehlgeschlagen, rechazada, rechazado, cancelada, cancelado, refusé, refusée, annulé, annulée, geweigerd, geannuleerd,
  afvist, slettet, annulleret, avvist, avbruten, nekad, hylätty, 交易关闭, 交易失败, 支付失败, 已关闭, 已取消, 失败, 失敗, 실패, 취소,
  rifiutato, rifiutata, annullato, annullata, recusada, recusado, odrzucona, odrzucone, anulowana, anulowano, anulowane,
  zamítnuto, elutasítva, отклонена, отклонено, отклонён, отменена, отменено, неуспешно`);

const reversedWords = wordsOf(`
  reversed, returned, refunded, chargeback, charged back, bounced, storniert, zurückgebucht, zurückgegeben, rückgängig gemacht,
  teruggeboekt, gestorneerd, devuelta, devuelto, retrocedido, retornada, devolvida, devolvido, estornada, estornado,
  stornata, stornato, contre-passé, retourné, retournée, zwrócona, zwrócono, 已全额退款, 已退款, 对方已退还, återförd, tilbakeført, возвращён, возвращена`);

const finalWords = wordsOf(`
  completed, complete, cleared, posted, booked, settled, processed, paid, done, ok, success, successful, executed, final,
  approved, reconciled, uncleared, gebucht, umsatz gebucht, abgeschlossen, ausgeführt, verwerkt,
  geboekt, uitgevoerd, completado, completada, contabilizado, liquidado, realizado, exécuté, comptabilisé, terminé, effectué,
  contabilizzato, eseguito, eseguita, concluído, concluída, efetuado, efetivado, zrealizowana, zrealizowano, rozliczona,
  zaksięgowana, zaksięgowano, udført, gennemført, utført, genomförd, 交易成功, 支付成功, 已转账, 已存入零钱, 对方已收钱,
  已到账, 已完成, 成功, 退款成功, 完了, 완료, bogført, bokført, bokförd, kirjattu, zaúčtováno, könyvelt, teljesült, исполнено, исполнен,
  выполнено, проведено, tamamlandı`);

/** Collects the unknown statuses of a file, and whether it has known ones. */
export class StatusTally {
  /** Statuses that the user called final, as {@link canonicalStatus} spells them. */
  readonly final: ReadonlySet<string>;
  readonly #unknown = new Map<string, string>();
  #hasKnown = false;
  #hasNotFinal = false;

  constructor(finalStatuses: readonly string[]) {
    this.final = new Set(finalStatuses.map(canonicalStatus));
  }

  add(text: string): StatusKind {
    const kind = readStatus(text, this.final);
    if (kind !== 'final' && kind !== 'unknown') this.#hasNotFinal = true;
    if (kind !== 'unknown') this.#hasKnown ||= text !== '';
    else if (this.#unknown.size < unknownMax) this.#unknown.set(canonicalStatus(text), text);
    return kind;
  }

  get unknown(): readonly string[] {
    return [...this.#unknown.values()];
  }

  /** Whether any cell has a status that is not final. */
  get hasNotFinal(): boolean {
    return this.#hasNotFinal;
  }

  /** Whether any cell has a known status. */
  get hasKnown(): boolean {
    return this.#hasKnown;
  }
}

/** Bounds the memory that a column of free text takes. */
const unknownMax = 20;
