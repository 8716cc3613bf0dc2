/** Names that a bank or card issuer uses for a payment that it received. On a bank statement, a row with such a name is an income. */
const receipt = [
  '(payment|pymt) received|pagamento recebido|pago recibido|paiement re[çc]u|zahlung erhalten|zahlungseingang',
  'betaling ontvangen|ontvangen betaling|pagamento ricevuto|결제대금 입금|תשלום התקבל',
  'betalning(en)? mottagen|mottagen betalning|betaling(en)? (er )?(modtaget|mottatt)|(modtaget|mottatt) (din |deres )?(ind|inn)?betaling',
  'maksu(si|nne)? (on )?vastaanotettu|vastaanotettu maksu|suoritus vastaanotettu',
  '(wp[łl]ata|p[łl]atno[śs][ćc]|sp[łl]ata) otrzymana|otrzyman[ao] (wp[łl]at[aęe]|p[łl]atno[śs][ćc]|sp[łl]at[aęe])',
  'befizet[ée]s(e|[ée]t)? (be)?[ée]rkezett|be[ée]rkezett befizet[ée]s',
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

/** Returns whether a text names a payment that a bank or card issuer received, and that is therefore not an expense. */
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
