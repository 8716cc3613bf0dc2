/** Whether the whole of a text is the name of a balance: a row that says so carries an amount and moves none. */
export function isBalanceText(text: string): boolean {
  return text.length <= textMax && balanceWords.test(foldText(text));
}

/** Whether the whole of a text is the name of a sum. Some of them are merchants, too, so other cells have to agree. */
export function isTotalText(text: string): boolean {
  return text.length <= textMax && wholeTotalWords.test(foldText(text));
}

/** Whether a line begins as those of sums do. */
export function beginsAsTotal(text: string): boolean {
  return totalWords.test(foldText(text));
}

/** Longer texts are sentences; nothing that a bank calls a balance comes near. */
const textMax = 60;

/**
 * One spelling for names that differ in case, width, the accents of Latin letters or their spacing only: some banks write
 * `S A L D O`.
 */
function foldText(text: string): string {
  // Nearly every text of a long file ends here.
  if (/^[ -~]*$/.test(text)) return joinLetters(text.toLowerCase());
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/ı/g, 'i')
    .replace(/[øö]/g, 'o');
  return joinLetters(folded);
}

function joinLetters(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ');
  return /^\S( \S)+$/u.test(plain) ? plain.replaceAll(' ', '') : plain;
}

/** What sums are called, in the languages of banks, folded. */
const totals =
  '(grand |sub-?)?totals?|sum|summe|gesamt(summe|betrag)?|(sub)?totale[sn]?|totaux|totaal|suma|razem|celkem|celkom|osszesen|yhteensa|summa|i alt|ukupno|skupaj|итого|всего|разом|усього|合計|合计|总计|總計|小計|합계|총계|toplam';
const totalWords = new RegExp(`^(${totals})(?!\\p{L})`, 'u');
const wholeTotalWords = new RegExp(`^(${totals}) ?:?$`, 'u');

/** Names of balances, folded; whole texts only, because "Balance Ltd" is a merchant. */
const balances = [
  '((opening|closing|starting|ending|beginning|start|end|previous|available|current|account|new|old|statement|daily|final|initial) )?balance( (brought|carried) forward| b/f| c/f| forward)?( (as of|at|on|per) .{0,14}| [\\d./-]{6,10})?:?',
  '(brought|carried) forward:?',
  '(anfangs|schluss|end|tages|alter |neuer |aktueller )?(saldo|konto?stand)( vom| am| per)?.{0,14}',
  'saldo (anterior|inicial|final|actual|disponible|iniziale|finale|contabile|poczatkowe|koncowe|do dia|atual|poprzednie|kapanis)(?!\\p{L}).{0,14}',
  'saldo(vortrag|ubertrag)',
  '(ancien |nouveau )?solde( initial| final| precedent| au)?(?!\\p{L}).{0,14}',
  'report (a nouveau|de solde|du solde)',
  '(begin|eind)saldo(?!\\p{L}).{0,14}',
  '(vorig|nieuw|oud) saldo',
  '(ingaende|inngaende|utgaende) saldo',
  '(primo|ultimo|start|slut|alku|loppu)saldo',
  'sold (initial|final|anterior|precedent)',
  '(nyito|zaro) ?egyenleg',
  '(pocatecni|konecny|pociatocny) (zustatek|zostatok)',
  '(pocetno|zavrsno|zacetno|koncno|prethodno|novo) stanje',
  '((acilis|kapanis|devir) bakiyesi|devreden bakiye|onceki bakiye|bakiye)',
  '(входящий|исходящий) (остаток|баланс).{0,20}',
  'остаток на (начало|конец).{0,20}',
  '(вхідний|вихідний) залишок.{0,20}',
  '((προηγουμενο|νεο|τελικο|αρχικο) )?(υπολοιπο|υπόλοιπο)',
  '(前期|前月|次期|翌月)?繰越.*',
  '(期初|期末|上期|本期)(余额|結餘|餘額)',
  '(承前|承上)(余额|餘額)?',
  '(전월|전기|차월|차기)?이월(잔액)?',
];
const balanceWords = new RegExp(`^(${balances.join('|')})$`, 'u');
