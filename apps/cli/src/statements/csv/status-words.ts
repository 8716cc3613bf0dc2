/** Whether a cell says that the transaction is not final: banks change or drop such rows. */
export function isPendingWord(text: string): boolean {
  return pendingWords.has(canonicalStatus(text));
}

/** Whether a cell says that the transaction did not happen. */
export function isDiscardedWord(text: string): boolean {
  return discardedWords.has(canonicalStatus(text));
}

/**
 * Whether a cell says that the transaction was taken back. Nothing says that a row of its own does that, so it counts as
 * one that moves nothing in the end, and is told by its word.
 */
export function isTakenBackWord(text: string): boolean {
  return takenBackWords.has(canonicalStatus(text));
}

/** Whether a cell of a status column says what nobody has explained: neither final nor anything else. */
export function isUnknownStatus(text: string): boolean {
  const status = canonicalStatus(text);
  const known = [finalWords, pendingWords, discardedWords, takenBackWords];
  return status !== '' && !known.some((words) => words.has(status));
}

function canonicalStatus(text: string): string {
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
  ожидает, ожидание, hold (pending), bekliyor, beklemede`);

const discardedWords = wordsOf(`
  declined, failed, unsuccessful, blocked, cancelled, canceled, reverted, rejected, denied, refused, expired, voided, void, abgelehnt,
  fehlgeschlagen, rechazada, rechazado, cancelada, cancelado, refusé, refusée, annulé, annulée, geweigerd, geannuleerd,
  rifiutato, rifiutata, annullato, annullata, recusada, recusado, odrzucona, odrzucone, anulowana, anulowano, anulowane,
  zamítnuto, elutasítva, отклонена, отклонено, отклонён, отменена, отменено, неуспешно`);

const takenBackWords = wordsOf(`
  reversed, returned, chargeback, charged back, bounced, storniert, zurückgebucht, zurückgegeben, rückgängig gemacht,
  teruggeboekt, gestorneerd, devuelta, devuelto, retrocedido, retornada, devolvida, devolvido, estornada, estornado,
  stornata, stornato, contre-passé, retourné, retournée, zwrócona, zwrócono, återförd, tilbakeført, возвращён, возвращена`);

const finalWords = wordsOf(`
  completed, complete, cleared, posted, booked, settled, processed, paid, done, ok, success, successful, executed, final,
  approved, reconciled, uncleared, refunded, gebucht, umsatz gebucht, abgeschlossen, ausgeführt, verwerkt,
  geboekt, uitgevoerd, completado, completada, contabilizado, liquidado, realizado, exécuté, comptabilisé, terminé, effectué,
  contabilizzato, eseguito, eseguita, concluído, concluída, efetuado, efetivado, zrealizowana, zrealizowano, rozliczona,
  zaksięgowana, zaksięgowano, bogført, bokført, bokförd, kirjattu, zaúčtováno, könyvelt, teljesült, исполнено, исполнен,
  выполнено, проведено, tamamlandı`);
