import { canonicalStatus } from '../table/cells.js';

const pendingWord =
  'pending|vorgemerkt|vormerkung|pendiente|en attente|in attesa|in behandeling|gereserveerd|oczekuj[ąa]ca|reserverad|reserverat|reservert|reserveret|ожидает|в обработке';
const notYet =
  'noch nicht (?:gebucht|verbucht|ausgef[üu]hrt|abgerechnet)|not yet (?:posted|booked|settled|cleared)|nog niet (?:geboekt|verwerkt)';
/**
 * Words for a hold, and for a row that is not booked. In round or square brackets, or after a separator at the end of a text, they show
 * that a row is pending. Elsewhere they do not, because "Hold" may begin the name of a merchant.
 */
const holdWord = `(?:on |card )?hold|(?:pre-?)?authori[sz]ation|pre-?authori[sz]ed|pre-?auth|${notYet}`;
/**
 * Matches a pending word in three places: at the beginning of a text if a separator follows, in round or square brackets, and at the end
 * of a text if a separator precedes it. Does not match "Pending Ltd", which is a merchant. At the end, the English word "pending" and
 * phrases such as "not yet booked" need no separator.
 */
const pendingText = new RegExp(
  `^\\W{0,3}(${pendingWord})\\s*[-:–—|*/]|[([]\\s*(${pendingWord}|${holdWord})\\s*[)\\]]|\\s[-–—|*/]\\s*(${pendingWord}|${holdWord})$|[\\s,]\\s*(pending|${notYet})$`,
  'iu',
);

/**
 * Matches the words that some banks write before the text of a card payment that is not booked yet. The Polish words at the end of the
 * pattern may be anywhere in the text.
 */
const pendingBeginning = new RegExp(
  [
    '^(?:cb |carte )?(en attente|pre-?auth|temporary hold|compra pendiente|transaction en cours|предавторизация|reservert(?= (?!av ))',
    'reserverat belopp|k[öo]preservation|kortreservation|kortk[öo]p reserverat|retenido|zárolás|zárolt|katevaraus|em processamento',
    'non contabilizzato|függőben|provizyon|prel\\.|blokada|blokace|zablokowano|холд|auth(?:ori[sz]ation)? hold|auth only',
    '(?:temporary|card) authori[sz]ation(?! fee)|(?:vor|karten)?autorisierung|(?:autorisation|op[ée]ration) en cours|preautorizzazione',
    'pr[ée]-?autorisation|preautorizaci[óo]n|bloqueo temporal',
    `${notYet}|pending(?= transactions?(?!\\p{L}))`,
    '(?:pre-?authori[sz](?:ed|ation)|authori[sz]ation|scheduled|processing|on hold|hold|[àa] venir)(?=\\s*:))(?!\\p{L})',
    '^(vorgemerkt)e? \\S|^(vormerkung) \\S|(transakcja nierozliczona)',
  ].join('|'),
  'iu',
);

/** Returns the word with which a text says that its row is pending, normalized by `canonicalStatus`; undefined if there is none. */
export function findPendingWord(text: string): string | undefined {
  const match = pendingText.exec(text) ?? pendingBeginning.exec(text) ?? pendingTitle.exec(text);
  const word = match?.find((part, index) => index > 0 && part);
  return word === undefined ? undefined : canonicalStatus(word);
}

/**
 * Returns the pending word of a title such as "Pending Transactions", normalized by `canonicalStatus`; undefined if the text is no such
 * title.
 */
export function findPendingTitle(title: string): string | undefined {
  const word = pendingTitle.exec(title)?.[1];
  return word === undefined ? undefined : canonicalStatus(word);
}

/** Matches a title such as "Pending Transactions" or "Vorgemerkte Umsätze", if the text has no other words. */
const pendingTitle = new RegExp(
  `^\\W{0,3}(${pendingWord})\\p{L}{0,2}(\\s(transactions?|payments?|charges|activity|umsätze|buchungen|movimientos|opérations))?\\W{0,3}$`,
  'iu',
);
