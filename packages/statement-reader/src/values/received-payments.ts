/** Names that a bank or card issuer uses for a payment that it received. On a bank statement, a row with such a name is an income. */
const receipt = [
  '(payment|pymt) received|pagamento recebido|pago recibido|paiement re[çc]u|zahlung erhalten|zahlungseingang',
  'betaling ontvangen|ontvangen betaling|pagamento ricevuto|결제대금 입금|תשלום התקבל',
  'betalning(en)? mottagen|mottagen betalning|betaling(en)? (er )?(modtaget|mottatt)|(modtaget|mottatt) (din |deres )?(ind|inn)?betaling',
  'maksu(si|nne)? (on )?vastaanotettu|vastaanotettu maksu|suoritus vastaanotettu',
  '(wp[łl]ata|p[łl]atno[śs][ćc]|sp[łl]ata) otrzymana|otrzyman[ao] (wp[łl]at[aęe]|p[łl]atno[śs][ćc]|sp[łl]at[aęe])',
  'befizet[ée]s(e|[ée]t)? (be)?[ée]rkezett|be[ée]rkezett befizet[ée]s',
  'addebito in c\\/?c\\W+salvo buon fine|pr[ée]l[èe]vement automatique enregistr[ée]\\W+merci|前回分口座振替金額',
].join('|');
const certainlyReceived = new RegExp(receipt, 'i');
/** Thanks for a payment, such as `UW BETALING DANK U`. */
const thanks = [
  '(vostro|suo|tuo) pagamento\\W+grazie|grazie per il (vostro|suo|tuo) pagamento|[öo]deme\\W+te[şs]ekk[üu]r',
  '(uw|je) betaling\\W+(hartelijk )?(dank|bedankt)|(dank|bedankt)( u)? voor (uw|je) betaling',
  '(betaling|betalning)\\W+(mange )?(takk?|tack)\\b|(takk?|tack) f[oöø]r (din |deres |er )?(inn?|ind)?(betaling|betalning)',
  'maksu(si|nne)?\\W+kiitos\\b|suoritus\\W+kiitos\\b|kiitos (maksusta|suorituksesta)',
  'dzi[ęe]kujemy za (wp[łl]at[ęe]|p[łl]atno[śs][ćc]|sp[łl]at[ęe])|(wp[łl]ata|p[łl]atno[śs][ćc]|sp[łl]ata)\\W+dzi[ęe]kujemy',
  'k[öo]sz[öo]nj[üu]k (a )?befizet[ée]s|befizet[ée]s([ée]t)?\\W+k[öo]sz[öo]nj[üu]k',
  'pembayaran\\W+terima kasih|お支払い?.*ありがとう',
  'gracias por (su|tu) pago|(su|tu) pago\\W+(muchas )?gracias\\W*$',
  'merci (pour|de) votre (paiement|r[èe]glement)|(paiement|r[èe]glement)\\W+merci\\W*$',
  '(ihre|deine) zahlung\\W+(besten|vielen|herzlichen) dank|(zahlung|[üu]berweisung) erhalten\\W+(besten|vielen|herzlichen) dank',
].join('|');
/** Matches the names and the thanks above, and texts in which other words separate the words of a name, such as `Payment was received`. */
const received = `(payment|pymt).*(thank|received)|${thanks}|${receipt}`;
const receivedPayment = new RegExp(received, 'i');
/**
 * Names of a payment to a card that are also common on bank statements. Most of them count only at the beginning of the text, because the
 * text of a payment to a merchant can contain the same words.
 */
const ambiguous =
  '^(bill )?payment$|^electronic (pmt|payment)|^(inbetalning|indbetaling|innbetaling)\\b|^suoritus\\b|^addebito in c\\/?c\\W+saldo e\\W?c\\b|^befizet[ée]s$|splata karty|spl[áa]tka karty|^[（(【\\[]?(自动)?还款|سداد بطاقة';
/** Matches what `received` matches, and further names. On a bank statement, a row with one of the further names may be an expense. */
const possiblyReceived = new RegExp(
  `${received}|thank ?you|autopay|automatic payment|su pago|gracias|merci|vielen dank|wpłata własna|spłata|${ambiguous}`,
  'i',
);

/**
 * Matches names of a received payment in a file in which `--all-expenses` or `--all-incomes` decides the direction. Such a file may be a
 * card statement or a bank statement. So a word of thanks counts only at the end, or before a word that means "for", as in
 * `Thank you for your payment`. Elsewhere the word may be part of a merchant's name, such as `Merci Paris`.
 */
const probablyReceived = new RegExp(
  `${received}|(?<!\\p{L})(autopay(ment)?|automatic payment|su pago|wpłata własna)(?!\\p{L})|(?<!\\p{L})(thank ?you|gracias|merci|vielen dank)([^\\p{L}]*$| (for|por|pour|f[üu]e?r) )`,
  'iu',
);

/**
 * Matches the payment itself in a text on the statement of a credit card. Unlike `received`, it requires that the words stand side by side:
 * `Card payment Tesco - 12 points received` names a purchase.
 */
const paymentToCard = new RegExp(
  `(payment|pymt)\\W*thank|thank ?you for (your|the) (payment|pymt)|${thanks}|${receipt}`,
  'i',
);
/** Words for a fee, a refusal, a reversal, a refund or a correction. With such a word, a text about a payment may name an expense. */
const undone = [
  'not?|fees?|charges?|late|overdue|penalty|nsf|unpaid|rev|return(ed)?|revers(ed|al|e)|rejected|refused|dishonou?r(ed)?|declined|failed|bounced',
  'refund(ed)?|cancel(l?ed|lation)?|corrections?|adjustments?',
  'r[üu]ck\\p{L}*|storn\\p{L}*|korrektur|mahn\\p{L}*|geb[üu]hr\\p{L}*|versp[äa]tet\\p{L}*|nicht',
  'frais|retard|rejet\\p{L}*|annul\\p{L}*|anul\\p{L}*|impay[ée]e?|cancela\\p{L}*|correcci[óo]n|devuelt[oa]|devoluci[óo]n|comisi[óo]n|tarifa|recargo|atraso|estorno|devolvid[oa]|multa|penale|mora',
  'op[łl]at\\p{L}*|zwrot\\p{L}*|prowizj\\p{L}*|po terminie|gebyr\\p{L}*|avgift\\p{L}*|kosten|kost|d[íi]j\\p{L}*',
].join('|');
const namesUndonePayment = new RegExp(`(?<!\\p{L})(${undone})(?!\\p{L})`, 'iu');

/** Returns whether a text on the statement of a credit card names a payment to this card, and not its reversal or a fee. */
export function isPaymentToCard(text: string): boolean {
  return paymentToCard.test(text) && !namesUndonePayment.test(text);
}

/** Returns whether a text probably names a payment that a bank or card issuer received. Some texts of purchases have the same words. */
export function isReceivedPayment(text: string): boolean {
  return receivedPayment.test(text);
}

/** Returns whether a text names a payment that a bank or card issuer received, in words that banks never use for an expense. */
export function isCertainlyReceived(text: string): boolean {
  return certainlyReceived.test(text);
}

/** Returns whether a text on a card statement says that a payment was received. On a bank statement, the same text may name an expense. */
export function isReceivedByCard(text: string): boolean {
  return possiblyReceived.test(text);
}

/** Returns whether the text of a row probably says that a payment was received, and not that a merchant was paid. */
export function isProbablyReceived(text: string): boolean {
  return probablyReceived.test(text);
}
