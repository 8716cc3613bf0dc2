/** Whether a cell says that the transaction is not final: banks change or drop such rows. */
export function isPendingWord(text: string): boolean {
  return pendingWords.has(canonicalStatus(text));
}

/** Whether a cell says that the transaction did not happen. A reversed one did: its reversal is a row of its own. */
export function isDiscardedWord(text: string): boolean {
  return discardedWords.has(canonicalStatus(text));
}

/** Whether a cell of a status column says what nobody has explained: neither final nor anything else. */
export function isUnknownStatus(text: string): boolean {
  const status = canonicalStatus(text);
  return status !== '' && !finalWords.has(status) && !pendingWords.has(status) && !discardedWords.has(status);
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
  declined, failed, cancelled, canceled, reverted, rejected, denied, refused, expired, voided, void, abgelehnt,
  fehlgeschlagen, rechazada, rechazado, cancelada, cancelado, refusé, refusée, annulé, annulée, geweigerd, geannuleerd,
  rifiutato, rifiutata, annullato, annullata, recusada, recusado, odrzucona, odrzucone, anulowana, anulowano, anulowane,
  zamítnuto, elutasítva, отклонена, отклонено, отклонён, отменена, отменено, неуспешно`);

const finalWords = wordsOf(`
  completed, complete, cleared, posted, booked, settled, processed, paid, done, ok, success, successful, executed, final,
  approved, reconciled, uncleared, reversed, refunded, gebucht, umsatz gebucht, abgeschlossen, ausgeführt, verwerkt,
  geboekt, uitgevoerd, completado, completada, contabilizado, liquidado, realizado, exécuté, comptabilisé, terminé, effectué,
  contabilizzato, eseguito, eseguita, concluído, concluída, efetuado, efetivado, zrealizowana, zrealizowano, rozliczona,
  zaksięgowana, zaksięgowano, bogført, bokført, bokförd, kirjattu, zaúčtováno, könyvelt, teljesült, исполнено, исполнен,
  выполнено, проведено, tamamlandı`);
