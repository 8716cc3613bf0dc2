import { hasRefundWord } from './refunds.js';

/** A kind of transaction in which money leaves the account: a purchase, a withdrawal, a payment that was sent, or a fee. */
export type MoneyOut = 'purchase' | 'withdrawal' | 'payment' | 'fee';

/** Rows whose kind of transaction is money out, if most of these rows have no minus. */
export interface MoneyOutWithoutMinus {
  /** The position, from 0, of the column that names the kinds of transactions. */
  readonly position: number;
  /** Whether the column has descriptions. Only some descriptions name a kind of transaction. */
  readonly isDescription: boolean;
  readonly moneyOut: MoneyOut;
  /** The number of rows of the kind in the file, with or without a minus. */
  readonly rowCount: number;
}

/**
 * Returns the kind of money out that a text names, such as `Market buy`, `Wertpapierkauf`, `ATM withdrawal`, `Card debit` or `Bank fee`.
 * Returns undefined for a kind that may be money in, such as `Buy/Sell`, `Purchase return`, `Payment` or `Auszahlung Darlehen`.
 */
export function moneyOutOf(text: string): MoneyOut | undefined {
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ł', 'l');
  if (/^you bought(?!\p{L})/u.test(folded)) return 'purchase';
  const words = folded.split(/[^\p{L}]+/u).filter((word) => word !== '');
  if (words.length > wordsMax || words.some((word) => otherWord.test(word))) return undefined;
  const phrase = words.join(' ');
  if (fee.test(phrase)) return 'fee';
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  if (ends.some((word) => purchaseWord.test(word))) return 'purchase';
  if (sentPayment.test(phrase)) return 'payment';
  if (withdrawalPhrase.test(phrase)) return 'withdrawal';
  const isWithdrawal = ends.some((word) => withdrawalWord.test(word)) && !words.some((word) => payoutWord.test(word));
  return isWithdrawal ? 'withdrawal' : undefined;
}

/**
 * Returns the kind of money out that a description names. Only these purchases count: a purchase of securities, such as `Wertpapierkauf
 * ASML`, and a description such as `Kauf` without other words. In a longer text, a word for a purchase may be part of a merchant's name,
 * as in `Best Buy`. The text of a reversal, such as `Wertpapierkauf Storno ASML`, counts too, see {@link namesReversal}.
 */
export function moneyOutOfDescription(text: string): MoneyOut | undefined {
  return purchaseText.test(text) ? 'purchase' : undefined;
}

const purchaseText = new RegExp(
  `^(${[
    '(wertpapier|effekten|aktien|fonds|etf)-?(kauf|ankauf|zukauf)|(wertpapier|fonds)?sparplanausführung|wertpapierabrechnung[ ,:-]+kauf',
    'kauf (von )?(wertpapieren?|effekten|aktien|fondsanteilen?)',
    "achat (de |d['’])?(titres|actions|valeurs|obligations|opcvm)|souscription (de |d['’])?(opcvm|titres)",
    'compra (de )?(valores|acciones|títulos|ações|fondos)|suscripción (de )?fondos?|subscrição (de )?fundos?',
    'acquisto (di )?(titoli|azioni|fondi)|sottoscrizione (di )?fondi|aankoop (van )?(effecten|aandelen|fondsen)',
    'zakup (papierów wartościowych|akcji|jednostek)|nákup (cenných papírů|akcií)|értékpapír ?vásárlás',
    'köp (av )?(värdepapper|aktier|fondandelar)|kjøp (av )?(verdipapirer|aksjer|fond)|køb (af )?(værdipapirer|aktier)|arvopaperiosto',
    '(purchase of|buy|bought) (securities|shares|stocks?|bonds|fund units)|(securities|stock|share) purchase',
    '(einkauf|kauf|buy|purchase|achat|compra|acquisto|aankoop|zakup|nákup|köp|kjøp|køb|покупка)$',
    'покупка (ценных бумаг|акций|облигаций|паев)|有価証券購入|株式買付',
  ].join('|')})(?!\\p{L})`,
  'iu',
);

/** Returns whether the text of a purchase names its reversal or a refund. `Return` is missing, because funds have it in their names. */
export function namesReversal(text: string): boolean {
  return hasRefundWord(text) || reversal.test(text);
}

const reversal =
  /(?<!\p{L})(reversed|cancel(l?ed|lation)|stornier(t|ung)|stornobuchung|storn[oó]wan[aoey]|sztornó|r(ü|ue)ckabwicklung|r(ü|ue)ckabgewickelt|annul(ation|ée?|ering|lering|leret)|annullament[oi]|annullat[oa]|anula(ción|cion|ção|d[ao])|anulowan[aoey]|estornad[oa]|extorn[oe]|makulering|makulerad|сторно|отмена|скасування)(?!\p{L})|取消/iu;

/** The maximum number of words in the kind of a transaction. A longer text may be that of a payment. */
const wordsMax = 4;

/**
 * Words for a purchase in the languages of banks and brokers, without the accents of Latin letters: nouns, participles, and words for a
 * subscription of fund units, for a reinvestment and for the execution of a savings plan.
 */
const purchaseWord = new RegExp(
  `^(${[
    'buy|bought|purchased?|investment|reinvest(ed|ment)?',
    '(wertpapier|aktien|fonds|sparplan|ein|zu)?kauf|gekauft|(fonds|wertpapier)?sparplanausfuhrung|wiederanlage',
    'achat|achetee?|souscription|souscrit|investissement|reinvestissement',
    'compra(d[ao])?|suscripcion|inversion|reinversion|subscricao|aplicacao|investimento|reinvestimento',
    'acquisto|acquistat[ao]|sottoscrizione|cumparare|cumparat|subscriere',
    'aankoop|koop|gekocht|aangekocht|herbelegging|herinvestering',
    'zakup|zakupion[ao]|kupno|kupiono|nabycie|reinwestycja',
    'nakup|nakoupeno|kupa|kupnja|reinvestice',
    'kop|kopt|kjøpt?|kjopt?|købt?|kobt?|tegning|teckning|reinvestering|geninvestering|aterinvestering',
    'osto|ostettu|rahastomerkinta',
    'vetel|vasarlas|jegyzes|ujrabefektetes',
    'alıs|alım|alis|alim',
    'покупка|куплено|приобретение|реинвестирование|купівля|придбання|реінвестування|αγορα|αγορά',
    '买入|買入|买进|買進|申购|申購|认购|認購|定投|買付|積立買付|購入|再投資|再投资|매수|매입|재투자',
  ].join('|')})$`,
  'u',
);

/** Words such as `return`. A kind with one of these words may be money in, even if it has a word for a purchase: `Purchase return`. */
const otherWord =
  /^(sell|sold|sale|verkauf|vente|venta|vendita|verkoop|(card)?credit|gutschrift|income|div)$|^(return|refund|revers|cancel|storn|ruckgabe|rembours|annul|devoluc|rimbors|zwrot|rebate|reward|cashback)/;

/** Words for a withdrawal. `reintegro` is missing, because it may also be a refund. */
const withdrawalWord =
  /^(withdraw|withdrawals?|(bar|bargeld)?auszahlung|(bar|bargeld|geld)?abhebung|retraits?|retiro|prelievo|prelevamento|(geld|kontant)?opname|wyplata|saque|levantamento|(kontant)?uttag|(kontant)?uttak|uttekt|hævning|nosto|kateisnosto|vyber|(kesz)?penzfelvetel|снятие|提款|取款|出金|출금)$|^((bar|bargeld|geld|privat)?entnahme|((kesz)?penz)?kivet|retragere|зняття|ανάληψη|αναληψη)$/u;

/** Phrases for a withdrawal. `Payout` next to another word may be money in, as in `Stripe payout` or `Dividend payout`. */
const withdrawalPhrase = /^(payouts?|cash ?out)( to bank)?$/;

/**
 * Words that make a word for a withdrawal unclear. `Auszahlung` is money in if it is the payout of a salary, a loan, interest or a
 * dividend, as in `Auszahlung Darlehen`. `Deposit/Withdrawal` may be either. A failed withdrawal did not happen.
 */
const payoutWord =
  /^(deposit|einzahlung|versement|deposito|ingreso|storting|wplata|vklad|insattning|innskudd|innborgun)s?$|^(loan|darlehen|kredit|kredyt|pret|prestito|prestamo|salar|gehalt|lohn|wynagrodz|pensj|zasilk|interes|zins|odset|dividend|dywidend|fail|declin|reject)/;

/** Phrases for a payment that the user sent. `Payment` alone may also be a received payment, for example a payment of a card bill. */
const sentPayment =
  /^(card|direct) debit$|^((payment|money|transfer|wire|bank transfer|wire transfer|ach|zelle|e transfer) (sent|out)|(sent|outgoing) (payment|money|transfer|wire|bank transfer|wire transfer)|sent)$|^(zahlung gesendet|gesendete zahlung|ausgehende (zahlung|uberweisung)|(paiement|virement) (envoye|emis|sortant)|pago enviado|transferencia (enviada|emitida)|pagamento (inviato|enviado)|bonifico in uscita|przelew wychodzacy|betaling verzonden)$/;

/** Phrases for a fee of a bank. `Commission` is missing, because it may also be an income. */
const fee =
  /^((account|annual|atm|bank|banking|bank service|card|conversion|custody|exchange|foreign|foreign transaction|fx|international|late|maintenance|management|monthly|overdraft|platform|service|trading|transaction|transfer|wire) )?fees?$|^(bank|service|monthly service) charges?$|^(bank|konto|karten|kontofuhrungs|depot|transaktions|fremdwahrungs|auslands)?(gebuhr|gebuhren|entgelt|entgelte)$|^frais( bancaires| de tenue de compte)?$|^(oplata|oplaty)( za prowadzenie rachunku)?$|^poplatek$|^(bank|kort|ars)?avgift$|^gebyr$|^手数料$|^手续费$|^수수료$/u;
