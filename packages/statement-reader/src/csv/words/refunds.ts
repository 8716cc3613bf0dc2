/** Words for a refund in the languages of banks. */
const refund =
  /(?<!\p{L})(refund(s|ed)?|reversal|r[üu]e?ckerstattung|gutschrift|erstattung|remboursement|reembolso|estorno|devoluci[óo]n|devoluç[ãa]o|rimborso|storno|terugbetaling|zwrot|återbetalning|tilbagebetaling|refusjon|vratka|возврат|[iİ]ade|palautus|vrácení|avoir|chargeback|merchandise return|refusion|tilbakebetaling|זיכוי|返金|ヘンキン|退款|환불|(승인|매입|전표)?취소)(?!\p{L})/iu;

/**
 * Matches `credit` only if it means a credit to the account, because `Credit Agricole`, `credit card` and `line of credit` are names of
 * other things.
 */
const credit =
  /^cr[ée]dit$|^credit\s*[-:/]|(?<!\p{L})(statement|merchant|courtesy|promotional|purchase|return|goodwill|cash ?back|rewards?) credit(?!\p{L})|(?<!\p{L})credit (voucher|adjustment|memo|note|received)(?!\p{L})|(?<!\bof)\scredit$/iu;

/** Returns whether a text names a refund or a credit to the account. */
export function namesRefund(text: string): boolean {
  return hasRefundWord(text) || credit.test(text.trim());
}

/** Returns whether a text has a word for a refund. Ignores `credit`, because in some columns this word may be the type of a card. */
export function hasRefundWord(text: string): boolean {
  return refund.test(text);
}

/** Returns whether a text on the statement of a credit card names the refund of a purchase, and not its reversal or a fee. */
export function isRefundToCard(text: string): boolean {
  return hasRefundWord(text) && !undoneRefund.test(text);
}

/** Words for a fee, or for the reversal of a refund. */
const undoneRefund =
  /(?<!\p{L})(not?|fees?|charges?|revers(ed|al)|rejected|declined|failed|cancel(l?ed|lation)?|corrections?|geb[üu]hr\p{L}*|frais|comisi[óo]n|tarifa|commissione|prowizj\p{L}*|op[łl]at\p{L}*|avgift|gebyr|kosten|tax|steuer\p{L}*)(?!\p{L})/iu;
