import { headerDictionary, headerWords } from './header-names.js';

/**
 * Returns whether some header is a known word of a language in which dates have the day before the month. English is
 * none: Americans write the month first. Only for files with a decimal comma, which neither English nor East Asian
 * files have.
 */
export function writesDayFirst(headers: readonly string[]): boolean {
  return headers.some((header) => {
    const words = headerWords(header);
    return knownHeaders.has(words) && words.split(' ').some((word) => !englishWords.has(word));
  });
}

const knownHeaders: ReadonlySet<string> = new Set(Object.values(headerDictionary).flat());

/** The words of the known headers that are English, or written alike in English and another language. */
const englishWords: ReadonlySet<string> = new Set(
  `account amount amt art at available balance billing book booked booking brought bruto business card category clearing
  closing code commission completed counter counterparty cr created credit credits currency d c date datetime day debit
  debits decimal deposit deposited deposits description details direction dr dat effective entry expense expenses fee
  finished flow gross impact in income indicator inflow info information item label memo merchant money name narration
  narrative net note notes occurred of on operation or original out outflow paid particulars partner party payee payment
  post posted posting processed purchase received reference remarks run running s h settled settlement sign spending spent
  started state statement status text time timestamp title total tran trans transaction txn type value withdrawal
  withdrawals withdrawn dc cdtdbt ind 1 2 3 i saldo valuta`.split(/\s+/),
);
