import type { CsvColumnName } from './columns.js';

/**
 * Returns the words of a header, to look up its meaning: in lower case, without accents and punctuation, and without the
 * currency that some banks append. `"Betrag (€)"`, `"BETRAG_EUR"`, `"Betrag R$"` and `"betrag in EUR"` all become `"betrag"`.
 */
export function headerWords(header: string): string {
  const words = header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/[øö]/g, 'o')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .replace(/(?<!\p{L})\p{L}{0,2}\p{Sc}/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  if (words.length > 1 && currencyWords.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && prepositions.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

const currencyWords: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
  'euro',
  'euros',
  '円',
  '元',
  '원'.normalize('NFKD'),
]);

/** Words between a noun and a currency: `in EUR`, `en euros`, `w PLN`. */
const prepositions: ReadonlySet<string> = new Set(['in', 'en', 'w', 'i', 'v']);

/** The roles in {@link headerDictionary}: the balance, which is not recorded, and all roles of columns except `fee`, `id` and `payer`. */
export type FoundColumnName = Exclude<CsvColumnName, 'fee' | 'id' | 'payer'> | 'balance';

/**
 * The headers that name each role, in many languages. If several headers of a file name the same role, the header that comes first
 * in this list wins. For example, `Purchase Date` wins over `Booking Date`, and `Booking Date` over `Value Date`.
 *
 * A header that names the merchant only if money goes out, or only if money comes in, is not in `merchant`, because a wrong merchant is
 * worse than no merchant. For example, `Zahlungsempfänger*in` (payee) is the owner of the account if money comes in. This header is in
 * `description`, because a name is better than no text. `Payee` is in `merchant`: in most files with this header and without a header for
 * the payer, it names the merchant whether money goes out or comes in. For files with a payer column and a payee column, see
 * {@link payersAndPayees}.
 */
export const headerDictionary: Readonly<Record<FoundColumnName, readonly string[]>> = {
  date: headerList(`
    date; transaction date; trans date; txn date; tran date; purchase date; operation date; date of transaction;
    date of operation; date operation; date transaction; transaction date time; date time; datetime; booking date; booked;
    booked on; date booked; posting date; posted date; posted on; posted; date posted; post date; posted transactions date; date processed;
    processed date; completed date; date completed; completed; completed on; finished on; entry date; occurred on;
    occurred at; occurred; date of purchase; date of payment; date of booking; date of posting; date of entry;
    effective date; run date; settlement date; clearing date; started date; timestamp;
    buchungstag; buchungsdatum; buchung; transaktionsdatum; umsatzdatum; belegdatum; kaufdatum; datum; boekdatum; boekingsdatum;
    transactiedatum; fecha; fecha operación; fecha de operación; fecha de la operación; f operación; fecha movimiento;
    fecha de movimiento; fecha transacción; fecha de transacción; fecha contable; f contable; fecha oper; tranzakció dátuma;
    könyvelés dátuma; könyvelési dátum; könyvelés napja; dátum; tranzakció ideje; date opération;
    date de l opération; date d opération; date comptable; date de comptabilisation; data; data operazione; data transazione; data della transazione; data contabile;
    data registrazione; data movimento; data mov; data do movimento; data lançamento; data do lançamento;
    data da transação; data operação; data transação; data operacji; data transakcji; data księgowania;
    data zaksięgowania; data operațiunii; data tranzacției; data tranzacție; bokföringsdag; bokföringsdatum; transaktionsdag;
    reskontradatum; dato; bokført dato; bokføringsdato; bokført; utført dato; transaksjonsdato; kjøpsdato; bogført;
    bogføringsdato; posteringsdato; dagsetning; pvm; kirjauspäivä; kirjauspvm; päivämäärä; maksupäivä; tapahtumapäivä;
    datum provedení; datum zaúčtování; datum transakce; datum zpracování; datum pohybu; datum zaúčtovania;
    datum knjiženja; datum izvršenja; tarih; işlem tarihi; kuupäev; datums; ημερομηνία; дата; дата операции;
    дата транзакции; дата платежа; дата проводки; дата обработки; дата операції; дата и час; дата і час; datum verrichting; 日付; 取引日; 年月日; 利用日; 日期; 交易日期;
    交易时间; 记账日期; 거래일시; 거래일자; tanggal; data oper; data lanç; date compta; f operativa; abschlussdatum;
    datum des abschlusses; data di completamento; fecha de finalización;
    uitvoeringsdatum; execution date; auftragsdatum; ausführungsdatum; date d exécution; data di esecuzione;
    value date; value dat; date valeur; date de valeur; wertstellung; wertstellungsdatum; valutadatum; rentedatum;
    fecha valor; fecha de valor; f valor; data valuta; data valor; data waluty; értéknap; valutadag; rentedato; arvopäivä;
    datum valute; valuta; التاريخ; تاريخ; تاريخ العملية; تاریخ; วันที่; วันที่ทำรายการ; תאריך; ngày; ngày giao dịch;
    transaction creation date; payout date`),
  amount: headerList(`
    settled amount; settlement amount; amount in account currency; account amount; amount; amount decimal; transaction amount; trans amount;
    txn amount; booked amount; billing amount; credit debit amount; debit credit amount; betrag; umsatz; umsatzbetrag; buchungsbetrag; bedrag; transactiebedrag; importe; importe operación;
    importe de la operación; monto; importo; importo operazione; montant; montant opération; montant de l opération;
    tranzakció összege; könyvelt összeg; összeg; kwota w walucie rachunku; kwota rozliczenia; kwota transakcji waluta rachunku; kwota; kwota operacji; kwota transakcji;
    kwota księgowania; belopp; bokfört belopp; beløp; beløb; summa; määrä; částka; zaúčtovaná částka; objem; suma; tutar;
    işlem tutarı; iznos; znesek; ποσό; ποσό συναλλαγής; сумма платежа; сумма в валюте счета; сумма пересчитанная в валюту счета; сума в валюті картки; сумма; сумма операции; сума; valor; quantia; importância;
    montante; value; 金額; 取引金額; 利用金額; 金额; 交易金额; 거래금액; 이용금액; 入出金; jumlah; nominal;
    transaction net amount; amount total; net; netto; nettobetrag; neto; líquido; total; gross; brutto; bruttobetrag; brut; bruto; lordo; المبلغ; مبلغ; จำนวนเงิน; סכום חיוב; סכום; số tiền; fjárhæð; upphæð`),
  debit: headerList(`
    debit; debits; debit amount; amount debit; amount debited; money out; funds out; paid out; withdraw; withdrawal; withdrawals; withdrawal amount;
    withdrawal amt; withdrawn; outflow; out; spent; expense; expenses; soll; sollbetrag; belastung; belastungen; belastungsbetrag; lastschrift; lastschriftbetrag;
    ausgang; ausgaben; ausgabe; af; débit; débits; dépense; dépenses; cargo; cargos; debe; gasto; gastos; salidas; retiros;
    montant débité; montant débit; montant au débit; dare; addebito; addebiti; importo addebito; importo addebitato; uscite; uscita; débito; débitos; débito de transacción; saídas; saída; ut; uttag; ut av konto; ut fra konto; debet;
    obciążenia; obciążenie; kwota obciążenia; wydatki; terhelés; výběr; výběry; výdaj; výdaje; udgift; udgifter; otto; дебет; дебит; расход; разход; списание; списано; 出金; 出金額; 出金金額; お引出し; お支払金額; 支払い金額; 支払金額; お引き出し; 支出; 支出金額; 支出金额; 记账金额(支出); 출금액; 출금; 借方发生额; 借方發生額; 출금금액;
    찾으신금액; borç; çıkan; dr; importo uscite; importo uscita; مدين; برداشت; ถอน; ถอนเงิน; חובה; סכום חיוב; ghi nợ; expense amount; số tiền ghi nợ`),
  credit: headerList(`
    credit; credits; credit amount; amount credit; amount credited; money in; funds in; paid in; deposit; deposits; deposit amount; deposit amt;
    deposited; inflow; in; received; income; haben; habenbetrag; gutschrift; gutschriften; gutschriftsbetrag; gutschriftbetrag; eingang; einnahmen; einnahme; bij;
    crédit; crédits; montant crédité; montant crédit; montant au crédit; recette; recettes; abono; abonos; haber; ingreso; ingresos; entradas; entrada; depósitos; avere; accredito;
    accrediti; importo accredito; importo accreditato; entrate; entrata; crédito; créditos; crédito de transacción; inn; insättning; inn på konto; kredit; uznania; uznanie; kwota uznania; wpływy;
    jóváírás; vklad; vklady; příjem; příjmy; indtægt; indtægter; pano; кредит; приход; зачисление; поступление; 入金; 入金額; 入金金額; お預入れ; お預り金額; 預かり金額; 預り金額; お預け入れ; お預かり金額; 收入; 收入金額; 收入金额; 记账金额(收入); 存入; 存入金額; 存入金额;
    입금액; 입금; 贷方发生额; 貸方發生額; 입금금액; 맡기신금액; alacak; giren; cr; importo entrate; importo entrata; دائن; واریز; ฝาก; ฝากเงิน; זכות; סכום זיכוי; ghi có; income amount; số tiền ghi có`),
  // Headers that can only mean a direction come before headers that some banks use for the kind of a transaction.
  direction: headerList(`
    direction; billing sign; debit credit; credit debit; debit or credit; credit or debit; dr cr; cr dr; d c; c d; dc; d k; k d; o i; i o; in out;
    out in; income expense; expense income; soll haben; s h; soll haben kennzeichen; af bij; bij af; bevétel kiadás;
    débit crédit; crédit débit; debit kredit; kredit debit; debet kredit; kredit debet; debet credit; credit debet;
    belastung gutschrift; gutschrift belastung; lastschrift gutschrift; gutschrift lastschrift; haben soll; débito crédito;
    crédito débito; debito credito; credito debito; addebito accredito; accredito addebito; avere dare; haber debe; abono cargo;
    sens; debe haber; cargo abono; dare avere; debit credit indicator; credit debit indicator; cdtdbt ind;
    balance impact; transaction direction; sign; flow;
    transaction type; type; tipo; tipo movimiento; tipo operación; art; tegund; 收 支`),
  description: headerList(`
    description; details; transaction description; transaction details; transaction ref1; narrative; narration; memo;
    particulars; transaction remarks; remarks; reference; payment reference; title; original description; statement description;
    verwendungszweck; omschrijving; concepto; libellé simplifié; libelle simplifie; libelle operation; libelle; descripción; libellé; közlemény; vorgang verwendungszweck; umsatztext; buchungstext;
    betreff; text; mededelingen; omschrijving 1; libellé opération; libellé de l opération;
    descripción de transacción; descripción de la transacción; descripción de la operación; descrizione; descrizione operazione; descrizione movimento; descrizione completa; causale; descrição; histórico; tytuł; tytuł operacji; tytułem; opis;
    opis operacji; opis transakcji; popis; poznámka; zpráva pro příjemce; rubrik; beskrivelse;
    beskrivning; tekst; specifikation; forklaring; meddelande; viesti; selitys; leírás; açıklama; περιγραφή; описание;
    описание операции; назначение платежа; призначення; опис операції; 摘要; 内容; 取引内容; 交易描述; keterangan; notes; note;
    observaciones; detalle; movimiento; transaction; avisierungstext; mitteilung; label;
    beschreibung; beschreibung1; beschreibung 1; description 1; lançamento; operazione; dettagli; お取り扱い内容; お取扱内容; 入出金内容; 入出金先内容;
    商品; 商品说明; 적요; desc; 내용; 거래내용; beschreibung2; beschreibung 2; beschreibung3; beschreibung 3; description 2; zahlungsempfänger in;
    transaktionsbeschreibung; text mottagare; remarque; remarques; booking text; action; опис; основание; paaiškinimai; security description;
    testo di avviso; testo d avviso; testo di contabilizzazione; testo di registrazione; testo; dettagli di contabilizzazione; détails de comptabilisation;
    buchungsdetails; booking details; bezeichnung; transactions; activity name; description1; descrizione1; descrizione 1;
    tittel; szczegóły transakcji; descrizione operazioni; descriere; αιτιολογία; שם בית העסק; beskrywing; otsikko; reason; деталі операції; деталі; детали операции;
    diễn giải; nội dung; mô tả; mokėjimo paskirtis; paskirtis; operacijos aprašymas; skýring; lýsing; الوصف; البيان; شرح; รายการ; รายละเอียด; תיאור; פרטים`),
  merchant: headerList(`
    merchant; merchant name; payee; name; counterparty name; counterparty; counter party; partner name; payee name;
    beguenstigter zahlungspflichtiger; begünstigter zahlungspflichtiger; begünstigter auftraggeber; beneficiary payer; payer beneficiary; partner neve; comercio; auftraggeber empfänger;
    name zahlungsbeteiligter; empfänger zahlungspflichtiger; naam tegenpartij; naam van de tegenpartij; tegenpartij; tiers; nadawca odbiorca;
    saaja maksaja; saaja maksja; nimi; sender receiver name; protistrana; název protiúčtu; контрагент; estabelecimento; 利用店名 商品名; 利用店名; 가맹점명; 가맹점; 交易对方; naam omschrijving;
    dane kontrahenta; handelaar; tegenrekeninghouder; gavėjas; mokėtojas gavėjas; gavėjas mokėtojas; saņēmējs maksātājs; maksātājs saņēmējs`),
  category: headerList(`
    category; category name; spending category; kategorie; kategori; categorie; categoría; catégorie; categoria; kategoria;
    kategória; категория; категорія`),
  account: headerList(`
    account name; account; pocket; konto; cuenta; compte; rekening; wallet; wallet name; account mask; kontoname; kontobezeichnung;
    nombre de cuenta; nom du compte; nome conto; nazwa konta; nazwa rachunku; rachunek; rekeningnaam; kontonavn; kontonamn; conta; conto`),
  currency: headerList(`
    settled currency; settlement currency; currency; currency code; ccy; ccy code; curr; iso currency code; currency iso code; transaction currency; transaction ccy; waehrung; währung; divisa; moneda; devise; tranzakció devizaneme; munt;
    valuta; waluta; waluta operacji; moeda; měna; mena; валюта платежа; валюта; валюта операции; 通貨; 币种; 记账币种; valiuta; valūta; valuuta; valutacode; muntcode; měna účtu; mena účtu; buchungswährung; kontowährung; valuta konta`),
  status: headerList(`
    status; state; transaction status; booking status; buchungsstatus; estado; stato; statut; stan; stav; статус; contabilizzazione; durum; info; 状态; 交易状态; 当前状态; 상태; ステータス; trạng thái; stare; κατάσταση; סטטוס; الحالة; būsena;
    état; olek; statuss; състояние; состояние; стан; állapot; staða; สถานะ; keadaan; stanje; result; outcome; settlement;
    situação; situação da transação; situación; tila; tapahtuman tila`),
  balance: headerList(`
    balance; running balance; balance de transacción; closing balance; available balance; account balance; accountbalance; kontostand; saldo;
    saldo nach buchung; saldo na trn; saldo disponible; saldo contable; saldo contabile; saldo contabilístico; saldo progressivo; solde; saldo po operacji; saldo po transakcji;
    egyenleg; zůstatek; saldoen; остаток; залишок; баланс; 残高; 差引残高; 余额; 餘額; 잔액; bakiye; υπόλοιπο; الرصيد; مانده; คงเหลือ; ยอดคงเหลือ; יתרה; số dư; staða`),
};

/**
 * Headers of the dates on which a program created, changed, imported or exported a record. Of these headers, only those in
 * {@link creationHeaders} may name the day of a transaction.
 */
export const recordKeepingHeaders: ReadonlySet<string> = new Set(
  headerList(`
    created; created at; created on; created date; created time; date created; creation date; date of creation; added;
    added at; added on; date added; updated; updated at; updated on; updated date; date updated; last updated; last update;
    last updated at; update date; modified; modified at; modified on; modified date; date modified; last modified;
    last modified at; modification date; changed at; changed on; last changed; edited at; imported; imported at;
    imported on; import date; date imported; date of import; exported; exported at; exported on; export date;
    date exported; date of export; erstellt; erstellt am; erstellungsdatum; angelegt am; geändert am; änderungsdatum;
    aktualisiert am; importiert am; exportiert am; importdatum; exportdatum; créé le; date de création; modifié le;
    date de modification; creado el; fecha de creación; modificado el; fecha de modificación; creato il; data creazione;
    data di creazione; modificato il; data di modifica; criado em; data de criação; aangemaakt op; gewijzigd op;
    utworzono; data utworzenia; skapad; oprettet; opprettet; дата создания;
    stampato il; scaricato il; généré le; emitido em; utskriven; wygenerowano`),
);

/** Headers of the day on which the bank booked a row. A row with such a day is booked, not pending. */
export const bookingDateHeaders: ReadonlySet<string> = new Set(
  headerList(`
    booking date; booked; booked on; date booked; posting date; posted date; posted on; posted; date posted; post date;
    run date; entry date; date of booking; date of posting; date of entry; cleared date; clearing date; processed on; buchungstag; buchungsdatum; buchung; datum buchung; boekdatum; boekingsdatum;
    fecha contable; f contable; könyvelés dátuma; könyvelési dátum; könyvelés napja; date comptable;
    date compta; date de comptabilisation; data contabile; data registrazione; data księgowania; data zaksięgowania; bokföringsdag;
    bokföringsdatum; bokført dato; bokføringsdato; bokført; bogført; bogføringsdato; kirjauspäivä; kirjauspvm;
    datum zaúčtování; datum zaúčtovania; datum knjiženja; дата проводки; 入账日期; 记账日期`),
);

/** The headers of {@link recordKeepingHeaders} that are used as the day of a transaction if the file has no other date. */
export const creationHeaders: ReadonlySet<string> = new Set(
  headerList(`
    created; created at; created on; created date; created time; date created; creation date; date of creation; erstellt;
    erstellt am; erstellungsdatum; angelegt am; créé le; date de création; creado el; fecha de creación; creato il;
    data creazione; data di creazione; criado em; data de criação; aangemaakt op; utworzono; data utworzenia; skapad;
    oprettet; opprettet; дата создания`),
);

/**
 * Pairs of headers of the payer and the payee. In a file with both headers, the owner of the account is usually either the payer or the
 * payee of a row. Headers that some banks use for account numbers, or for the person who requested the payment, are left out.
 */
export const payersAndPayees: readonly (readonly string[])[] = [
  'zahlungspflichtige r; zahlungsempfänger in',
  'zahlungspflichtiger; zahlungsempfänger',
  'payer; payee',
  'payer name; payee name',
  'source name; target name',
  'nazwa nadawcy; nazwa odbiorcy',
].map(headerList);

/** Returns whether a header names a balance, such as `Balance after transaction` or `Saldo`. */
export function headerNamesBalance(header: string): boolean {
  const words = headerWords(header);
  return headerDictionary.balance.includes(words) || words.split(' ').some((word) => balanceWords.has(word));
}

const balanceWords: ReadonlySet<string> = new Set(headerDictionary.balance.filter((words) => !words.includes(' ')));

/** Headers of the balance that an account holder can use. Pending payments change this balance. */
export const availableBalanceHeaders: ReadonlySet<string> = new Set(headerList('available balance; saldo disponible'));

/** Headers of the balance after the booked payments. */
export const bookedBalanceHeaders: ReadonlySet<string> = new Set(
  headerList('ledger balance; booked balance; posted balance; cleared balance; saldo contable'),
);

/** Returns whether the header of a balance names a debt, such as `Outstanding Balance` or `Saldo deudor`. */
export function namesDebt(header: string): boolean {
  return headerWords(header)
    .split(' ')
    .some((word) => debtWords.has(word));
}

const debtWords: ReadonlySet<string> = new Set(
  headerList(`
    outstanding; due; owed; owing; debt; liability; offen; offener; offene; schuld; schulden; deudor; deuda; dû; encours;
    debitore; dovuto; devedor; dívida; openstaand; openstaande; verschuldigd; zadłużenie; skuld; gæld; gjeld; dluh; задолженность; долг`),
);

/** Headers of flags that say whether a row is pending. */
export const pendingFlagHeaders: ReadonlySet<string> = new Set(headerList('pending; is pending'));

/** Headers of the id by which other rows of a file refer to a row. */
export const transactionIdHeaders: ReadonlySet<string> = new Set(
  headerList(`
    transaction id; transaction code; transaction number; transaktionscode; transaktions id; transaktionsnummer;
    id de transacción; código de transacción; numéro de transaction; n de transaction; id de transaction; codice transazione; id transazione;
    transactiereferentie; transactie id; id da transação; identyfikator transakcji; id`),
);

/**
 * Headers of the bank's own id of a transaction, the clearest first. Most headers of numbers, codes and references are left out: in the
 * exports of most banks, the values under such headers repeat, count the rows of one file, or name the kind of a transaction
 * (docs/decisions/0056-ids-in-csv.md, Rejected).
 */
export const rowIdHeaders: readonly string[] = headerList(`
    balance transaction id; transaction id; transaction identifier; TransferWise ID; bank transaction id; txn id; fitid; operation id;
    transaktions id; transaktionsid; transaktionscode; transaksjons id; transaksjonsid; tapahtumatunnus; arkistointitunnus; arhiveerimistunnus;
    identificador de transacción; identificador de la transacción; id de transacción; id transacción; numéro de transaction; n de transaction;
    identifiant de transaction; identifiant de la transaction; id de transaction; id transazione; identificativo transazione;
    codice transazione; transactie id; transactiereferentie; id da transação; id transação; identificador da transação;
    identyfikator transakcji; id transakcji; id operacji; id transakce; tranzakció azonosító; tranzakcióazonosító;
    id операции; идентификатор операции; id транзакции; идентификатор транзакции; işlem id`);

/** A header of ids or of row numbers. A column with this header is the id column only if its cells are too long for row numbers. */
export const plainIdHeader = 'id';

/**
 * Headers of columns in which a row has the id of another row, for example of the transaction that it reverses. Unlike an id under one of
 * the {@link rowIdHeaders}, such an id does not identify its own row.
 */
export const otherRowIdHeaders: ReadonlySet<string> = new Set(
  headerList(`
    reference txn id; reference transaction id; related transaction id; original transaction id; parent transaction id;
    parent id; related id; zugehöriger transaktionscode; referenz transaktionscode; id de transacción de referencia;
    código de referencia de transacción; numéro de la transaction de référence; n de la transaction de référence; codice transazione di riferimento;
    referentie transactie id; id da transação de referência`),
);

/** Headers that only occur in card statements: the card holder, the number of an instalment, the amount that is charged to a card. */
export const cardHeaders: ReadonlySet<string> = new Set(
  headerList(`
    card member; cardmember; card member name; cardholder; card holder; cardholder name; card holder name; karteninhaber;
    karteninhaberin; portador; parcela; parcelas; titular de la tarjeta; titulaire de la carte; porteur; kaarthouder;
    intestatario carta; titolare carta; posiadacz karty; kortinnehavare; kortholder; kortinnehaver; držitel karty;
    держатель карты; 利用者; ご利用者; 이용금액; סכום חיוב`),
);

/**
 * Headers that occur in card statements, and also in statements of bank accounts: the number of a card, and details of the merchant
 * that only card networks know.
 */
export const cardNumberHeaders: ReadonlySet<string> = new Set(
  headerList(`
    card id; card number; card no; card no.; masked card number; last 4 digits; kartennummer; karten nr; numéro de carte; n de carte;
    número de tarjeta; numero carta; numero di carta; numero della carta; número do cartão; kaartnummer; numer karty; kortnummer;
    číslo karty; номер карты; merchant category code; mcc; merchant place; merchant city; merchant country; merchant category`),
);

/** Headers that occur together only in exports of Plaid. */
export const plaidHeaders: readonly string[] = headerList('iso_currency_code; payment_channel');

/** Headers of amounts that the bank converted into the currency of the account. */
export const accountAmountHeaders: ReadonlySet<string> = new Set(
  headerList(
    'kwota w walucie rachunku; kwota rozliczenia; amount in account currency; сумма в валюте счета; сумма пересчитанная в валюту счета; сума в валюті картки',
  ),
);

/** Headers of the amount that was charged to a card. Another amount in the same file may be in the currency of the merchant. */
export const chargedAmountHeaders: ReadonlySet<string> = new Set(
  headerList(`
    billed amount; billing amount; amount billed; charged amount; amount charged; posted amount; booked amount; abrechnungsbetrag;
    verrechneter betrag; converted amount; amount charged to account; amount in home currency; gegenwert; contravalor;
    contre valeur; contrevaleur; charged; equivalent; eur equivalent; gbp equivalent; usd equivalent; amount account currency; betrag in kontowährung; montant débité; montant facturé; importe cargado; importe facturado; importo addebitato; valor cobrado`),
);

/** Headers of columns with the currency of the amounts under {@link accountAmountHeaders}. */
export const accountCurrencyHeaders: ReadonlySet<string> = new Set(
  headerList('waluta rachunku; waluta rozliczenia; account currency; валюта счета'),
);

/** Headers of net amounts, from which the fee of the row is already deducted. */
export const netAmountHeaders: ReadonlySet<string> = new Set(
  headerList(
    'net; net amount; transaction net amount; netto; nettobetrag; neto; importe neto; monto neto; importo netto; líquido; montant net',
  ),
);

/** Headers of gross amounts, from which neither taxes nor fees are deducted. */
export const grossAmountHeaders: ReadonlySet<string> = new Set(
  headerList(`
    gross; gross amount; brutto; bruttobetrag; brut; montant brut; avant commission; bruto; importe bruto; lordo; importo lordo;
    total; total amount; amount incl vat; amount including vat`),
);

export const taxHeaders: ReadonlySet<string> = new Set(
  headerList(`
    vat; vat amount; tax; tax amount; sales tax; gst; hst; mwst; MwSt; mwst betrag; ust; USt; umsatzsteuer; steuer; iva; tva; btw;
    moms; mva; alv; dph; áfa; ндс; kdv; 消費税`),
);

/**
 * Direction headers of {@link headerDictionary}, such as `Type`, that may also name the kind of a transaction. Such a header must be in
 * all three lists: in the dictionary, in this list and in {@link kindHeaders}. `header-names.test.ts` checks this, and names the
 * exceptions.
 */
export const vagueDirectionHeaders: ReadonlySet<string> = new Set(
  headerList('transaction type; type; tipo; tipo movimiento; tipo operación; art; tegund; sign; flow'),
);

/** Headers of the column in exports of PayPal that says whether a row is a debit, a credit, or changes no balance. */
export const balanceImpactHeaders: ReadonlySet<string> = new Set(
  headerList(`
    balance impact; impact sur le solde; auswirkung auf guthaben; impatto sul saldo; effect op saldo; impacto en el saldo; wpływ na saldo`),
);

/** Headers of the column with the kind of each transaction. */
export const kindHeaders: ReadonlySet<string> = new Set(
  headerList(`
    action; activity; activity type; type; transaction type; trans type; trade type; order type; kind; operation; operation type; side;
    buy sell; transaction; art; typ; vorgang; buchungsart; geschäftsart; transaktion; transaktionsart; transaktionstyp; umsatzart;
    opération; type d opération; nature; tipo; tipo movimiento; tipo de movimiento; operación; tipo operación; tipo de operación; operazione;
    tipo operazione; tipo di operazione; operação; tipo de operação; soort; soort transactie; transactietype; typ operacji; typ transakcji;
    rodzaj operacji; operacja; typ transakce; 거래구분; 거래유형; 取引区分; 取引種類; 交易类型; işlem tipi; işlem türü; typ av transaktion; transaktionstype; transaksjonstype; tegund; тип; тип операции; операция`),
);

/** Status headers of {@link headerDictionary} that may also name a balance, another amount or a day. */
export const vagueStatusHeaders: ReadonlySet<string> = new Set(
  headerList('stanje; staða; result; outcome; settlement'),
);

/** Splits a list of headers at semicolons, and returns the {@link headerWords} of each header. */
export function headerList(list: string): readonly string[] {
  return list.split(';').map((text) => headerWords(text.replace(/\s+/g, ' ').trim()));
}
