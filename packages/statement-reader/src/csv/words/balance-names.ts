import { foldText, textMax } from '../table/fold-text.js';
import { isOpeningOrClosingBalance } from './opening-closing-balances.js';

/**
 * Returns whether a text is the label of a balance. After some labels, a colon, a date, or words for a statement may follow. After others,
 * such as `Saldo`, any short text may follow, as in `Saldo fattura 12`.
 */
export function isBalanceText(text: string): boolean {
  return text.length <= textMax && isFoldedBalanceText(foldText(text));
}

/**
 * Returns whether a text is the label of a balance, like {@link isBalanceText}, but of any length.
 *
 * @param name a text that `foldText` returned
 */
export function isFoldedBalanceText(name: string): boolean {
  return balanceWords.test(name) || isOpeningOrClosingBalance(name);
}

/**
 * Returns whether a text is the label of a balance, and contains nothing else, except for a colon, a date, or the period, statement or
 * account of the balance. `Saldo` and `S A L D O` are such labels. `Saldo fattura 12` is not, because it is the payment of an invoice.
 */
export function isOnlyBalanceText(text: string): boolean {
  return text.length <= textMax && (plainBalanceWords.test(foldText(text)) || isParticularBalanceText(text));
}

/**
 * Returns whether a text is the label of a particular balance, such as "Saldo iniziale" or "Saldo al 31/12/2025", and contains nothing
 * else, with the exceptions that {@link isOnlyBalanceText} names. Returns false for "Saldo" and "Saldo fattura 12", because they may be
 * payments of an invoice.
 */
export function isParticularBalanceText(text: string): boolean {
  const folded = foldText(text);
  const name = folded.replace(/( (a|al|den|del|em|vom|am|zum|per|au|na|on|at|as of|as at))?[^\p{L}]*$/u, '');
  if (/^(balance|saldo|solde|bakiye|υπολοιπο|υπόλοιπο)$/.test(name)) return balanceOfDay.test(folded);
  return plainBalanceWords.test(name) || isOpeningOrClosingBalance(folded);
}

const balanceOfDay = / (al|am|zum|per|au|na|on|as of|as at) (\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})$/;

/** Returns whether a text contains a word for a balance. The text may also be the name of a merchant, such as "New Balance". */
export function mentionsBalance(text: string): boolean {
  return text.length <= textMax && balanceMention.test(text);
}

/**
 * Returns whether a text, such as `ubertrag`, is both the label of a balance and a word for a transfer. A row with such a label is a
 * balance only if it has no other text.
 *
 * @param name a text that `foldText` returned
 */
export function isAmbiguousBalance(name: string): boolean {
  return ambiguousBalances.test(name);
}

/** Labels of balances, as `foldText` returns them. They must match the whole text, because "Balance Ltd" is a merchant. */
const balances = [
  '((amount of )?your |amount of )?((opening|closing|starting|ending|beginning|start|end|(previous|last)( statement)?|available|cleared|current|account|new|old|statement|daily|final|initial) )?balance( (brought|carried) (forward|fwd|down)| [bc]/(f|d|fwd)| forward)?( (as of|as at|at|on|per) .{0,14}| at (the )?(start|beginning|end) of (the )?(period|month|year|statement)| [\\d./-]{6,10})?:?',
  '(opening|closing) bal\\.?:?',
  '(brought|carried) (forward|fwd):?',
  '((a/c|account|bal\\.?|amount) )?[bc]/(f|d|fwd)',
  'balance from (the )?(last|previous) statement|available (funds|credit)|credit limit|credito disponible|limite disponible|limite de credito|credito disponivel|limite disponivel|net change',
  '(total amount|minimum (payment|amount)|new balance) due',
  '(initial|opening|starting) balance (for )?[\'"‘“].{1,40}',
  '(anfangs|schluss|end|tages|zwischen|alter |neuer |aktueller )?(saldo|konto?stand)( zu ihren (lasten|gunsten))?( vom| am| per)?.{0,14}',
  'saldo (anterior|inicial|final|actual|disponible|disponibile|iniziale|finale|contabile|poczatkowe|koncowe|do dia|total disponivel( dia)?|atual|poprzednie|kapanis)(?!\\p{L}).{0,14}',
  'saldo (neu|alt|dia)|saldo total da fatura',
  '(anfangs|end|schluss)bestand:?',
  '(eroffnungs|openings)saldo [\\d./-]{6,10}',
  "(eroffnungs|openings|abnings|apnings)saldo|ingaende balans|solde d['’]ouverture|saldo (de |di )?(apertura|abertura|inicio|otwarcia)",
  'saldo(vortrag|ubertrag)',
  'stand vormonat|(anfangs|kassen)(stand|bestand)|startguthaben|remanente|suma anterior|suma y sigue|a reporter|funds brought forward',
  'vortrag( (vom )?(vormonat|vorjahr))?|report|riporto|a nuevo|carried over from .{1,20}',
  'bilans (otwarcia|zamkniecia)|vorige stand|zostatok z minuleho obdobia',
  '(saldo)?ue?bertrag (vom|aus( dem)?) ((letzten|vorigen|vorherigen|alten) (konto)?auszug|vormonat|vorjahr)',
  'ue?bertrag (auf|von) (die |der )?(nachste|folgende|vorherige|vorige|letzte)r? seite',
  'stan (poczatkowy|koncowy)|stan konta( na)?( dzien)?(?!\\p{L}).{0,14}',
  '(openings|begin|eind|slot)balans',
  '(ancien |nouveau )?solde( (initial|final|precedent|(de|en) (depart|debut|fin)( de periode)?))?( (debiteur|crediteur))?( au)?(?!\\p{L}).{0,14}',
  'report (a nouveau|de solde|du solde|solde precedent)',
  '(begin|eind)saldo(?!\\p{L}).{0,14}',
  '(vorig|nieuw|oud) saldo',
  'sdo cta/apl automaticas|saldo a cuenta nueva',
  '(ingaende|inngaende|utgaende) saldo',
  '(primo|ultimo|start|slut|alku|loppu)saldo',
  'sold (initial|final|anterior|precedent)( (zi|luna|perioada))?',
  'saldo (der )?(letzten?|vorherigen?|vorigen?) ((monats|karten|kreditkarten)?abrechnung|monatsrechnung|kartenrechnung)',
  '(skuld|saldo) fran (foregaende|forra) (faktura|rakning|kontoutdrag)|gjeld fra forrige faktura|gæld fra forrige (faktura|opgorelse)',
  '(total|saldo|valor) da fatura anterior|saldo (de la factura|del estado de cuenta) anterior',
  'likutis (laikotarpio )?(pradziai|pabaigai|pradzioje|pabaigoje)',
  '((pradinis|galutinis) )?likutis',
  '(sakuma|beigu) (atlikums|bilance)',
  '(alg|lopp)(saldo|jaak)',
  'saldo (awal|akhir)',
  'baki (awal|akhir|dibawa (ke hadapan|ke depan))',
  'so du (dau|cuoi) ky',
  '(nyito|zaro)( ?egyenleg)?|egyenleg',
  '(upphafs|loka)stada',
  '(pocatecni|konecny|koncovy|pociatocny) (zustatek|zostatok|stav)( uctu)?',
  '(zustatek|zostatok)( na (konci|konec|zacatku|zacatek|zaciatku) obdobi[ae]?)?',
  '(pocetno|zavrsno|zacetno|koncno|prethodno|novo) stanje',
  '((acilis|kapanis|devir|donem (sonu|basi)) bakiyesi|devir|devreden bakiye|onceki bakiye|bakiye)',
  '(входящий|исходящий) (остаток|баланс).{0,20}',
  'остаток на (начало|конец).{0,20}',
  '(вхідний|вихідний) залишок.{0,20}',
  '(начално|крайно|почетно|крајње) (салдо|стање)',
  '(الرصيد |رصيد )(ال)?(افتتاحي|ختامي|سابق)',
  'יתרת (פתיחה|סגירה)|יתרה (קודמת|נוכחית)',
  'ยอด(ยกมา|ยกไป|คงเหลือยกมา)',
  '((προηγο[υύ]μενο|ν[εέ]ο|τελικ[οό]|αρχικ[οό]) )?υπ[οό]λοιπο',
  'υπ[οό]λοιπο (απ[οό]|εκ) μεταφορ[αά]ς?',
  'υπ[οό]λοιπο ([εέ]ναρξης|λ[ηή]ξης)',
  '(前期|前月|次期|翌月)?(より|から|へ)?の?繰越.*|(差引)?残高',
  '(期初|期末|上期|本期)(余额|结余|結餘|餘額)',
  '(承前|承上)(余额|餘額|结余|結餘)?',
  '(전월|전기|차월|차기)?이월(잔액)?',
];
const ambiguousBalances = /^ue?bertrag:?$/;
const balanceWords = new RegExp(`^(${balances.join('|')})$`, 'u');
/** Matches the label of a balance, without the short text that may follow some labels. */
const plainBalanceWords = new RegExp(balanceWords.source.replace(/\.(\{0,\d+\}|\*)/g, ''), 'u');
/** Matches a word for a balance inside a text. */
const balanceMention =
  /balance|saldo|solde|konto?stand|egyenleg|zůstat|zostat|stanje|likut|atlikum|bakiye|υπ[οό]λοιπο|остат|залиш|салдо|余额|餘額|残高|結餘|繰越|잔액|이월|رصيد|יתרה|יתרת/iu;
