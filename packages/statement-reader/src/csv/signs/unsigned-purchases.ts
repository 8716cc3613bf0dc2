import type { AmountSign } from '../../values/amounts.js';
import { headerWords, normalised } from '../columns/header-names.js';
import { decideDirection } from '../plan.js';
import { plainCell } from '../rows/cells.js';
import type { RowContext } from '../rows/row-amount.js';

/**
 * Finds the column with the kinds of transactions, if this column names purchases, and most purchases have no minus. Some brokers,
 * such as Trading 212, write a minus only before withdrawals: their purchases of securities have no sign, like their deposits.
 */
export class PurchaseSignCheck {
  readonly #kinds: readonly { readonly position: number; minus: number; other: number }[];
  /** The kinds that were tested before. A file has few kinds, and a test takes longer than a look-up. */
  readonly #known = new Map<string, boolean>();

  constructor(headers: readonly string[]) {
    this.#kinds = headers.flatMap((header, position) =>
      kindHeaders.has(headerWords(header)) ? [{ position, minus: 0, other: 0 }] : [],
    );
  }

  /** @param sign the sign of the amount of the row; undefined if the row has no amount */
  add(cells: readonly string[], sign: AmountSign | undefined): void {
    if (sign === undefined) return;
    for (const kind of this.#kinds) {
      const text = plainCell(cells[kind.position] ?? '');
      const isPurchase = this.#known.get(text) ?? namesPurchase(text);
      if (this.#known.size < knownMax) this.#known.set(text, isPurchase);
      if (isPurchase) kind[sign === 'minus' ? 'minus' : 'other'] += 1;
    }
  }

  /** The position of the column, from 0; undefined if there is none. */
  get position(): number | undefined {
    return this.#kinds.find(({ minus, other }) => other > minus)?.position;
  }
}

/** The maximum number of stored kinds, to limit the memory for a column of free text. */
const knownMax = 200;

/**
 * Returns the reason why a purchase fails: most purchases of the file have no minus, and an amount without a minus would be an income.
 * Returns undefined for other rows, or if the balances or a direction column show the direction.
 */
export function explainPurchase({ cells, positions, file: { plan } }: RowContext): string | undefined {
  const { findings, formats } = plan;
  const kind = plainCell(cells[findings.unsignedPurchasePosition ?? -1] ?? '');
  const isShown = formats.balanceOrder !== undefined || positions.direction !== undefined;
  if (isShown || !namesPurchase(kind) || decideDirection('amount', 'bare', formats) === 'expense') return undefined;
  return `"${kind}" names a purchase, but most purchases of the file have no minus: put a minus before each purchase that is an expense, or use --direction-column "" if the signs of all purchases are right`;
}

/**
 * Returns whether the kind of a transaction is a purchase, such as `Market buy`, `BUY - LIMIT` or `Wertpapierkauf`. Returns false for a
 * kind that may be a sale or the reversal of a purchase, such as `Buy/Sell` or `Purchase return`.
 */
export function namesPurchase(text: string): boolean {
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
  if (/^you bought(?!\p{L})/u.test(folded)) return true;
  const words = folded.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const isNamed = [words[0], words.at(-1)].some((word) => word !== undefined && purchaseWord.test(word));
  return isNamed && words.length <= wordsMax && !words.some((word) => otherWord.test(word));
}

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

/** Words such as `return`. A transaction whose kind has both a word for a purchase and one of these words may be money in. */
const otherWord =
  /^(sell|sold|sale|verkauf|vente|venta|vendita|verkoop|(card)?credit|gutschrift)$|^(return|refund|revers|cancel|storn|ruckgabe|rembours|annul|devoluc|rimbors|zwrot|rebate|reward|cashback)/;

/** Headers of the column with the kind of each transaction. */
const kindHeaders: ReadonlySet<string> = new Set(
  normalised(`
    action; activity; activity type; type; transaction type; trans type; trade type; order type; kind; operation; operation type; side;
    buy sell; transaction; art; typ; vorgang; buchungsart; geschäftsart; transaktion; transaktionsart; transaktionstyp; umsatzart;
    opération; type d opération; nature; tipo; tipo movimiento; tipo de movimiento; operación; tipo operación; tipo de operación; operazione;
    tipo operazione; tipo di operazione; operação; tipo de operação; soort; soort transactie; transactietype; typ operacji; typ transakcji;
    rodzaj operacji; typ transakce; typ av transaktion; transaktionstype; transaksjonstype; тип; тип операции; операция`),
);
