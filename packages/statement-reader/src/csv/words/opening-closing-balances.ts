import { readMonthName } from '../../values/dates.js';

/**
 * Returns whether a text is a label of the opening or closing balance of a statement, such as `votre ancien solde` or
 * `saldo wg poprzedniego wyciagu`. Such a text has a word for a balance, and a word such as "old", "previous" or "closing". All its other
 * words are a date, prepositions or words for a statement. Returns false for `saldo alte rechnung` and `saldo altes konto`, because these
 * rows may be payments.
 *
 * @param name a text that `foldText` returned
 */
export function isOpeningOrClosingBalance(name: string): boolean {
  // The fast path: nearly every text has no word for a balance.
  if (!balanceNoun.test(name)) return false;
  const words = name
    .replace(numericDate, ' ')
    .replace(statementOfAccount, '$1')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const hasMonth = words.some(isMonth);
  const isOther = (word: string) => joiningWords.has(word) || isMonth(word) || (hasMonth && dayOrYear.test(word));
  return (
    words.some((word) => balanceNouns.has(word)) &&
    words.some((word) => positionWords.has(word)) &&
    words.every((word) => balanceNouns.has(word) || positionWords.has(word) || isOther(word))
  );
}

const numericDate = /(?<!\d)(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)/g;
const dayOrYear = /^(\d{1,2}(er|st|nd|rd|th)?|(19|20)\d{2})$/;
/**
 * Matches a phrase for an account statement, such as `estratto conto`. A word for an account alone does not match: `saldo altes konto` may
 * be a transfer of the balance of an old account.
 */
const statementOfAccount =
  /(estratto|extracto|extrato|extrait|releve|vypisu|wyciagu)( (de|da|di|z|ze))?( la)? (conto|cuenta|conta|compte|uctu|rachunku|konta)/;

function isMonth(word: string): boolean {
  return /^\p{L}{3,12}$/u.test(word) && readMonthName(word) !== undefined;
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words for a balance, as `foldText` returns them. The English word is missing, because "New Balance" is a merchant. */
const balanceNouns = wordSet(`
  saldo saldot solde sdo sld kontostand kontosaldo balans stanje egyenleg zustatek zostatok bakiye bakiyesi likutis atlikums jaak
  υπολοιπο υπόλοιπο остаток баланс залишок салдо стање`);
const balanceNoun = new RegExp(`(?<!\\p{L})(${[...balanceNouns].join('|')})(?!\\p{L})`, 'u');

/** Words that distinguish an opening from a closing balance, such as "old", "new", "initial" and "final", as `foldText` returns them. */
const positionWords = wordSet(`
  alt alte alter altes neu neue neuer neues letzte letzter letzten letztem vorige voriger vorigen vorherige vorheriger vorherigen ancien
  precedent precedente nouveau initial final ouverture cloture anterior previo inicial nuevo inicio apertura cierre vecchio nuovo
  iniziale finale chiusura antigo novo abertura fecho encerramento vorig oud nieuw poprzedni poprzednie poprzedniego poczatkowe koncowe
  nowe minuly minuleho predchozi predchoziho predchadzajuci predchadzajuceho pocatecni pociatocny konecny novy tidligere forrige gammel
  gammal gammalt tidigare foregaende ny nytt ingaende inngaende utgaende vanha edellinen edellisen uusi elozo nyito zaro regi uj onceki
  eski yeni basi sonu acilis kapanis prethodno prethodnog staro pocetno zavrsno prejsnje prejsnjega zacetno koncno ankstesnis eelmine
  uus προηγουμενο προηγούμενο παλαιο παλαιό νεο νέο предыдущий предыдущего прошлый прошлого начальный конечный новый старый предишен
  попередній початковий претходно`);

/** Words that may stand between the other words of the label of a balance, as `foldText` returns them. */
const joiningWords = wordSet(`
  betrag laut lt gemaß gemass selon secondo segun conforme volgens prema des der dem den vom von aus am zum per zu ihr auszug auszugs
  kontoauszug kontoauszugs montant du de la le l au votre vos releve extrait periode importe del al el su a extracto periodo estratto di
  dello dell valor do da em ao extrato van het uw vorige afschrift rekeningafschrift wg z ze na dzien wyciag wyciagu k ke vypis vypisu
  obdobi obdobia fra fran pr enligt ifolge kontoutskrift kontoutdrag kontoudtog tiliotteen kivonat szerinti ekstre donem izvod izvoda
  periodo выписки выписка из на по периода`);
