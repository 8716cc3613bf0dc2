import { readMonthName } from '../../values/dates.js';
import { foldText, textMax } from '../table/fold-text.js';

/**
 * Returns whether the whole text is the name of a total, such as `gesamtsumme` or `total fees`.
 *
 * @param name a text that `foldText` returned
 */
export function namesTotal(name: string): boolean {
  return wholeTotalWords.test(name);
}

/**
 * Returns whether the whole text is the name of a turnover (the sum of all debits or credits), such as `debit turnover`.
 *
 * @param name a text that `foldText` returned
 */
export function namesTurnover(name: string): boolean {
  return turnoverWords.test(name);
}

/** Returns whether a text is the name of a total, or begins with one of the more common names of totals. */
export function beginsAsTotal(text: string): boolean {
  return totalWords.test(foldText(text));
}

/** Returns whether a text begins or ends with the name of a total. Such a text may also be the name of a merchant. */
export function mayBeTotal(text: string): boolean {
  if (text.length > textMax) return false;
  const name = foldText(text);
  return totalAtStart.test(name) || totalAtEnd.test(name);
}

/**
 * Returns whether a text is the name of the total of a month, of a quarter, or of all expenses or incomes, such as `total january` or
 * `summe ausgaben`.
 *
 * @param name a text that `foldText` returned
 */
export function isTotalOfPart(name: string): boolean {
  const rest = [totalAtStart, totalAtEnd].map((total) => name.replace(total, '')).find((text) => text !== name);
  const words = rest?.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '') ?? [];
  const isPart = (word: string) => sideWords.has(word) || /^[qt][1-4]$/.test(word) || isMonth(word);
  return (
    words.some(isPart) && words.every((word) => isPart(word) || joiningWords.has(word) || /^(20)?\d{2}$/.test(word))
  );
}

function isMonth(word: string): boolean {
  return /^\p{L}{3,12}$/u.test(word) && readMonthName(word) !== undefined;
}

/** Names of totals in the languages of banks, as `foldText` returns them. */
const totals =
  '((grand|transactions?) |sub-?)?totals?|sum|summe|gesamt(summe|betrag)?|(sub)?totale[sn]?|totaux|totaal|suma|razem|celkem|celkom|ossz(es|esen)|yhteensa|summa|i alt|ukupno|skupaj|συνολο|σύνολο|итого|всего|разом|усього|合計|合计(金额)?|总计|總計|小計|합계|총계|toplam';
/** Further names of totals. They must match the whole text, because merchants have names that begin like them. */
const wholeTotals = [
  '(monthly|weekly|daily|yearly|annual|page|card|account|statement|period|running) totals?',
  'totals? (for|of) .{1,40}|sub-?totals? .{1,40}',
  "(number|count) of (transactions|entries|items|bookings)|anzahl (der )?(buchungen|umsatze|transaktionen|posten)|nombre (d[e’']s?)?(operations|transactions|ecritures)",
  '(numero|cantidad) de (movimientos|operaciones|transacciones)|numero (di )?(movimenti|operazioni)|liczba (operacji|transakcji)|aantal (transacties|boekingen)|antal (transaktioner|poster(ingar)?)',
  '(exchange|conversion) rate( [a-z]{3}/[a-z]{3})?|wechselkurs( [a-z]{3}/[a-z]{3})?|taux de change|tipo de cambio|tasso di cambio',
  'total (purchases|payments|fees|interest|charges|credits|debits|deposits|withdrawals|transactions|transfers|spending|expenses|income|amount)',
  '(sous|ara|genel)[ -]total|(ara|genel) toplam|total general|total geral',
  'somme|total (des )?(debits|credits|mouvements|operations|achats|depenses|recettes)',
  '(zwischen|end|umsatz)summe|umsatze gesamt|(zwischen|end)betrag|summe (der )?(soll|haben|belastungen|gutschriften|umsatze|ausgaben|einnahmen)',
  'total (de )?(cargos|abonos|movimientos|compras|pagos|gastos|ingresos|debitos|creditos|despesas|receitas|lancamentos)',
  'totale (addebiti|accrediti|movimenti|operazioni|spese|uscite|entrate|generale)',
  'totaal (bij|af|(bij|af)schrijvingen|inkomsten|uitgaven)|suma (wplywow|wydatkow|uznan|obciazen)',
  '(sub|tussen|eind)totaal|delsumma?|vahesumma|valisumma|mezisoucet|medzisucet|soucet|sucet|mindosszesen|reszosszeg',
  '(tapahtumat|ostot|tranzakciok|vasarlasok|transakcie|transakce|transakcije|islemler) (yhteensa|osszesen|celkem|celkom|ukupno|toplami)',
  'kokku|kopa|is viso|jumlah( keseluruhan| besar)?|samtals|tong cong',
  '(промежуточный )?итог|подытог|проміжний підсумок|общо',
  '小计|小計|(本页|本頁|本月|本期|本日|累计)(合计|合計|小计|小計)|累计|累計',
  '(ยอด)?รวม(ทั้งสิ้น|ทั้งหมด)?|סה["״]כ|(ال)?(مجموع|إجمالي)|कुल( योग)?',
];
/** Names of turnovers: the sums of all debits or credits. No merchant has these names. */
const turnovers =
  '(debit |credit |total )?turnover|apyvarta|(debeta |kredita )?apgrozijums|(debetni |kreditni )?obraty( (debet|kredit))?|(支出|収入|入金|出金|收入)(合計|合计|总计)|(deebet|kreedit)?kaive|оборот(ы|и)?( за период)?|rulaj( total)?( (debitor|creditor))?( (zi|luna|perioada))?';
const turnoverWords = new RegExp(`^(${turnovers}) ?:?$`, 'u');
const totalAtStart = new RegExp(`^(${totals})(?!\\p{L})`, 'u');
const totalAtEnd =
  / (sub-?totals?|totals?|totale|totaal|sum|summe|suma|gesamt|ergebnis|osszesen|yhteensa|celkem|celkom|ukupno|skupaj|toplami?) ?:?$/;
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
/** Words for expenses and incomes in the name of a total, as `foldText` returns them. */
const sideWords = wordSet(
  `expense expenses expenditure spending outgoings income incomes debits credits ausgaben einnahmen belastungen gutschriften ausgange
  eingange debits credits depenses recettes revenus entrees sorties uscite entrate addebiti accrediti spese gastos ingresos cargos abonos
  debitos creditos despesas receitas saidas entradas uitgaven inkomsten wydatki wydatkow przychody przychodow wplywy wplywow obciazenia
  obciazen uznania uznan vydaje prijmy utgifter inkomster inntekter udgifter indtaegter menot tulot kiadas kiadasok bevetel bevetelek terheles
  terhelesek jovairas jovairasok cheltuieli venituri borc alacak gider giderler gelir gelirler uplate uplata isplate isplata χρεωσεις χρεωσεων
  χρεώσεις χρεώσεων πιστωσεις πιστωσεων πιστώσεις πιστώσεων расход приход расходы доходы расходов доходов`,
);
const joiningWords = wordSet(
  `for of the and month quarter der des im in monat fur und quartal de du des le la mois et trimestre di del della mese e i mes y do da mês van voor
  maand za w miesiac och maned og`,
);
const totalWords = new RegExp(`^((${totals})(?!\\p{L})|(${wholeTotals.join('|')}) ?:?$)`, 'u');
const wholeTotalWords = new RegExp(`^(${totals}|${wholeTotals.join('|')}|${turnovers}) ?:?$`, 'u');
