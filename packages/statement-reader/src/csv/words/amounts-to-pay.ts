/**
 * Returns whether a text is the name of the amount that a bill or a card statement charges, such as `rechnungsbetrag` or `montant preleve
 * le 05/04`. Such a row may be the total of the rows above it, or a payment of a bill.
 *
 * @param name a text that `foldText` returned
 */
export function namesAmountToPay(name: string): boolean {
  return amountToPay.test(name);
}

/** Names of the amount to pay, as `foldText` returns them. They must match the whole text, except for a date. */
const names = [
  '(statement|billed|invoice|payable) amount|amount (due|to pay|payable|billed|charged)|to pay|(statement )?total due',
  '(rechnungs|abrechnungs|zahl(ungs)?|einzugs|abbuchungs|belastungs|lastschrift)(betrag|summe)|zu zahlen(der betrag)?|zu zahlen(de summe)?',
  'montant (preleve|debite|du|a payer|a regler|a debiter|total|de la facture)|(net |reste )?a payer|total (preleve|debite)',
  'importe (a pagar|a cargar|total|facturado|de la liquidacion)|(total )?a pagar|valor (a pagar|total|da fatura)|montante a pagar',
  'pago para no generar intereses',
  'importo (da pagare|totale|dovuto|addebitato|da addebitare)|(totale )?da pagare',
  '(totaal )?(te betalen|te incasseren|af te schrijven)( bedrag)?|totaalbedrag',
  '(belopp )?att betala|(belop )?a betale|(belob )?at betale|(belob |belop )?til betaling',
  'maksettava(a)?( yhteensa)?|loppusumma|laskun (loppu)?summa',
  '(kwota |razem )?do zaplaty|(castka )?k uhrade|(suma )?na uhradu|fizetendo( osszeg)?|za platiti|odenecek tutar|donem borcu',
  '(сумма )?к оплате|(сума )?до сплати|πληρωτεο ποσο|πληρωτέο ποσό',
  '(ご|御)?請求金?額|(お|御)?支払い?金?額|(お|御)?引き?落とし?金?額|应还(款)?(金)?额|應繳(總)?金額|청구금액|결제금액',
];
const day =
  '( ?[:：])?( (am|zum|per|vom|le|au|du|on|el|il|al|op|den|dnia|dne))?( ?\\d{1,4}[./-]\\d{1,2}([./-](\\d{2,4})?)?)?';
const amountToPay = new RegExp(`^(${names.join('|')})${day}$`, 'u');
