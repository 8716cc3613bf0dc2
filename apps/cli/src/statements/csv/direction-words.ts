/** Words of a direction column, lower case. */
export interface DirectionWords {
  readonly expense: ReadonlySet<string>;
  readonly income: ReadonlySet<string>;
}

/**
 * The words that tell money out from money in: those named, else the common ones of each side. Letters that say nothing
 * without their partner are not among them, see `SideLetters`.
 * @param expense from `--expense-word`; @param income from `--income-word`
 */
export function directionWords(expense: readonly string[], income: readonly string[]): DirectionWords {
  return {
    expense: new Set((expense.length > 0 ? expense : commonExpenseWords).map(canonicalWord)),
    income: new Set((income.length > 0 ? income : commonIncomeWords).map(canonicalWord)),
  };
}

/** What a word of the direction column says; undefined for a word that nobody has explained. */
export function readDirectionWord(word: string, words: DirectionWords): 'expense' | 'income' | undefined {
  const canonical = canonicalWord(word);
  if (words.expense.has(canonical)) return 'expense';
  return words.income.has(canonical) ? 'income' : undefined;
}

/** One spelling for words of a direction column that differ in case or a point only. */
export function canonicalWord(word: string): string {
  return word.normalize('NFKC').trim().replace(/\.$/, '').toLowerCase();
}

const commonExpenseWords = [
  'debit',
  'debits',
  'dr',
  'dbit',
  'deb',
  'expense',
  'outflow',
  'out',
  'outgoing',
  'money out',
  'paid out',
  'withdrawal',
  'purchase',
  'spent',
  'sent',
  '-',
  'soll',
  's',
  'belastung',
  'ausgabe',
  'ausgang',
  'af',
  'debet',
  'kiadás',
  'terhelés',
  'cargo',
  'gasto',
  'debe',
  'débit',
  'dépense',
  'addebito',
  'uscita',
  'dare',
  'débito',
  'saída',
  'db',
  'obciążenie',
  'wydatek',
  'ut',
  'utgift',
  'расход',
  'списание',
  'gider',
  'borç',
  '支出',
  '출금',
];
const commonIncomeWords = [
  'credit',
  'credits',
  'cr',
  'crdt',
  'cred',
  'income',
  'inflow',
  'in',
  'incoming',
  'money in',
  'paid in',
  'deposit',
  'refund',
  'received',
  '+',
  'haben',
  'h',
  'gutschrift',
  'einnahme',
  'eingang',
  'bij',
  'bevétel',
  'jóváírás',
  'abono',
  'ingreso',
  'haber',
  'crédit',
  'recette',
  'accredito',
  'entrata',
  'avere',
  'crédito',
  'entrada',
  'kredit',
  'uznanie',
  'wpływ',
  'inn',
  'inntekt',
  'приход',
  'зачисление',
  'пополнение',
  'gelir',
  'alacak',
  '收入',
  '입금',
];
