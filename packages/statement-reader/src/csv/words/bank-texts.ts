/**
 * Returns whether the texts of a row show that a minus is an expense, as on the statement of a bank account. This is the case if an amount
 * without a minus has a text that names an income, such as `Salary`, or if an amount with a minus has a description that names an expense
 * such as `Rent`. Purchases do not count, because a refund on a card statement may have a minus and the text of the purchase. Neither do
 * direct debits, transfers and checks with a minus, because they may be payments of the card bill.
 *
 * @param row.cells all cells of the row; `row.description` is the text of the description and the merchant
 */
export function showsBankSigns(row: {
  readonly isMinus: boolean;
  readonly cells: readonly string[];
  readonly description: string;
  readonly category: string;
}): boolean {
  const { isMinus, cells, description, category } = row;
  if (isMinus) return expense.test(description) || expenseCategory.test(category);
  return income.test(cells.join(' ')) || cells.some((cell) => incomeStart.test(cell)) || incomeCategory.test(category);
}

/**
 * Words for money that a bank account receives, and for transfers. `Interest` and `Zinsen` are missing, because a card may be charged with
 * interest. `MobilePay` and `MB WAY` are missing, because they also charge cards. `Invoice` alone is missing, because a card may pay an
 * invoice.
 */
const income = wholeWords(
  [
    'salary|payroll|wages?|paycheck|paycheque|pension|income|deposits?|direct dep|dividends?|interest (paid|earned|received)|refund(ed)?',
    '(transfer|payment|wire|ach|money|zelle|venmo|interac) (from|in|received|credit)',
    '(incoming|received|bank|wire|faster) (transfer|payments?)|receive money',
    'top[- ]?up|cash ?in|payout|child benefit|tax credit|contribution|stipend|scholarship|reimbursement|credit interest',
    'bank (giro )?credit(?! card)|fpi(?! (management|mgmt))|rents? received|(sales|customer) invoices?|zelle|tikkie',
    'upi[-/ ]cr|neft|imps|rtgs|(?<!(balance|cash|saldo) )(transf|trf)(?!\\.? ?(a|para|p)(?!\\p{L})|.*mb ?way)|bonif',
    '\\p{L}*gutschr(ift(en)?)?|(monats)?(lohn|gehalt)|rente|bezüge|(sepa-)?(überweisung|ueberweisung)|einzahlung|dividende',
    '(geld|zahlungs)?eingang|(rück)?erstattung|kindergeld|elterngeld|mieteinnahmen?|salaire|virements?',
    'versements?|dépôt|rem(ise)?\\.? (de )?ch[eè]?q(ue)?s?|remboursement|allocations?|retraite|indemnités?',
    'nómina|nomina|sueldo|ingresos?|transferencias?|abonos?|bizum|pensión|devolución|dividendo|depósitos?|depositos?',
    'stipendio|bonifico|accredito|versamento|pensione|emolumenti|rimborso|dividendi|giroconto|salário|salario|transferência|pix|reembolso',
    'salaris|loon|overschrijving|overboeking|storting|uitkering|toeslag|bijschrijving|terugbetaling',
    'wynagrodzenie|pensja|przelew|wpłata|emerytura|zwrot|dywidenda|lön|løn|lønn|överföring|overførsel|overføring|insättning|innskudd',
    'indbetaling|innbetaling|inbetalning|återbetalning|palkka|tilisiirto|eläke|talletus|mzda|výplata|převod|prevod|vklad|příchozí',
    'fizetés|munkabér|átutalás|befizetés|jóváírás|plaća|uplata|salariu|virament|depunere|maaş|havale|gelen',
    'зарплата|перевод|пополнение|поступление|зачисление|пенсия|переказ|поповнення|μισθοδοσία|κατάθεση|משכורת|راتب|إيداع',
  ],
  '給与|給料|振込|入金|賞与|工资|工資|转账|轉帳|存入|급여|이체|입금|เงินเดือน|ฝาก',
);

/** Matches a cell that begins with a code of a transfer, or that is a code. Inside a text, these words may be part of a merchant's name. */
const incomeStart = /^\s*(vir[ .]|swish(?!\p{L})|bgc\s*$)/iu;

/** Categories of the incomes of a bank account. */
const incomeCategory =
  /^(sales( (income|revenue))?|revenue|(umsatz)?erlöse|ventes|ventas|vendite|vendas|omzet|sprzedaż|försäljning)$/iu;

/** Categories of expenses for which a card hardly ever has a refund. In a category column, `Rent` and similar words are the whole text. */
const expenseCategory =
  /^((rent|mortgage)( ?(&|and|\/) ?(rent|mortgage))?|(kalt|warm)?miete|hausgeld|loyer|alquiler|affitto|aluguel|huur|czynsz|hyra|husleie)$/iu;

/** Words for an expense of a bank account: rent, bills, fees, taxes, insurances, loans and withdrawals. */
const expense = wholeWords(
  [
    'rent|spend money|bills?(?! pay)|fees?|tax(es)?|mortgage|loan|insurance|atm|withdrawal|standing order|utility|utilities|electricity|outgoing|sent',
    '(kalt|warm)?miete|hausgeld|strom|(depot|konto|bank)?(gebühr|gebühren|entgelt)|(kfz-)?steuer|(kfz-)?versicherung|darlehen|dauerauftrag',
    '(bar)?(auszahlung|abhebung)|bargeldabhebung|geldautomat|loyer|frais|impôts?|assurance|prêt|retrait|échéance',
    'alquiler|comisión|impuestos?|seguro|préstamo|hipoteca|recibo|cajero|retirada|affitto|commissioni?|imposta|bollo|assicurazione',
    'mutuo|prestito|prelievo|utenze|aluguel|renda|tarifa|imposto|seguros|levantamento|saque|huur|(bank)?kosten|belasting|verzekering',
    'hypotheek|lening|geldopname|czynsz|opłata|podatek|ubezpieczenie|wypłata|bankomat|hyra|husleie|husleje|(bank|års)?avgift|gebyr|skatt|skat',
    'försäkring|forsikring|lån|uttag|uttak|vuokra|vakuutus|laina|nosto|nájem|poplatek|daň|pojištění|výběr|bérleti díj|díj|adó|biztosítás',
    'készpénzfelvétel|kira|vergi|sigorta|аренда|комиссия|налог|снятие|страховка|оренда|комісія|податок',
  ],
  '家賃|手数料|保険|税金|房租|手续费|수수료|월세|출금',
);

/** @param parts words that count anywhere in a text, because their script puts no spaces between words */
function wholeWords(words: readonly string[], parts: string): RegExp {
  return new RegExp(`(?<!\\p{L})(${words.join('|')})(?!\\p{L})|${parts}`, 'iu');
}
