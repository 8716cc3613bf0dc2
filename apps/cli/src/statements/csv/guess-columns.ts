import { type CsvColumnName, type CsvColumns, canonicalHeader } from './csv-columns.js';

/**
 * Guesses what the headers of a statement stand for, from the names that banks and aggregators use. What is not
 * obvious is left out: a wrong guess is worse than none, and a person confirms the result or names the columns.
 *
 * @param unwanted columns not to guess, because a flag has said something else about them
 */
export function guessColumns(headers: readonly string[], unwanted: ReadonlySet<CsvColumnName>): Partial<CsvColumns> {
  const known = headers.map(canonicalHeader);
  const guess: Partial<Record<CsvColumnName, string>> = {};
  for (const [name, variants] of Object.entries(obviousHeaders) as [CsvColumnName, readonly string[]][]) {
    if (unwanted.has(name)) continue;
    // The order of the variants decides, not that of the file: "Transaction Date" is a better date than "Posting Date".
    const position = variants.map((variant) => known.indexOf(variant)).find((found) => found !== -1);
    if (position !== undefined) guess[name] = headers[position] ?? '';
  }
  return withOneKindOfAmount(guess);
}

/** Whether headers look like those of a statement: a date, and an amount or two. For finding them below a preamble. */
export function looksLikeHeaders(cells: readonly string[]): boolean {
  const { date, amount, debit, credit } = guessColumns(cells, new Set());
  return date !== undefined && (amount !== undefined || (debit !== undefined && credit !== undefined));
}

function withOneKindOfAmount(guess: Partial<Record<CsvColumnName, string>>): Partial<CsvColumns> {
  const { amount, debit, credit, direction, ...others } = guess;
  // Two columns tell the side by themselves.
  if (debit !== undefined && credit !== undefined) return { ...others, debit, credit };
  const beside = direction === undefined ? others : { ...others, direction };
  return amount === undefined ? beside : { ...beside, amount };
}

const obviousHeaders: Readonly<Record<CsvColumnName, readonly string[]>> = {
  date: [
    'date',
    'transaction date',
    'trans. date',
    'trans date',
    'booking date',
    'posting date',
    'posted date',
    'date processed',
    'post date',
    'completed date',
    'value date',
    'buchungstag',
    'buchungsdatum',
    'datum',
    'fecha',
    'fecha operación',
    'tranzakció dátuma',
    'date opération',
    'data',
  ],
  amount: [
    'amount',
    'transaction amount',
    'amount (eur)',
    'amount (usd)',
    'amount (gbp)',
    'betrag',
    'bedrag',
    'bedrag (eur)',
    'importe',
    'importo',
    'montant',
    'tranzakció összege',
    'value',
  ],
  debit: ['debit', 'debit amount', 'money out', 'paid out', 'withdrawal', 'withdrawals', 'soll', 'débit', 'cargo'],
  credit: ['credit', 'credit amount', 'money in', 'paid in', 'deposit', 'deposits', 'haben', 'crédit', 'abono'],
  // Those that can only mean a side go before "type", which banks also use for the kind of a transaction.
  direction: [
    'direction',
    'debit/credit',
    'credit/debit',
    'debit or credit',
    'credit or debit',
    'debit / credit',
    'credit / debit',
    'dr/cr',
    'cr/dr',
    'd/c',
    'c/d',
    'in/out',
    'out/in',
    'income/expense',
    'expense/income',
    'soll/haben',
    's/h',
    'soll/haben-kennzeichen',
    'af bij',
    'af/bij',
    'bevétel/kiadás',
    'débit/crédit',
    'debe/haber',
    'sign',
    'flow',
    'transaction direction',
    'transaction type',
    'type',
  ],
  description: [
    'description',
    'details',
    'transaction description',
    'transaction details',
    'narrative',
    'memo',
    'reference',
    'verwendungszweck',
    'omschrijving',
    'concepto',
    'descripción',
    'libellé',
    'közlemény',
  ],
  merchant: [
    'merchant',
    'merchant name',
    'payee',
    'name',
    'counterparty name',
    'beguenstigter/zahlungspflichtiger',
    'begünstigter/zahlungspflichtiger',
    'partner neve',
    'comercio',
  ],
  category: ['category', 'category name', 'kategorie', 'categorie', 'categoría', 'catégorie'],
  account: ['account name', 'account', 'konto', 'cuenta', 'compte', 'rekening'],
  currency: ['currency', 'currency code', 'waehrung', 'währung', 'divisa', 'devise', 'tranzakció devizaneme', 'munt'],
};
