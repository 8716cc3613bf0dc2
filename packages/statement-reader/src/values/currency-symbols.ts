import { currenciesOfName } from './currency-names.js';

/**
 * Returns the currencies that a symbol may mean: `£` is the pound of several countries, and `kr` the krone or krona of four
 * countries. Such a symbol does not determine the currency, but excludes all currencies that are not in the result.
 *
 * @param symbol the symbol as it is written next to an amount: `"US$"`, `"kr."`, `"zł"`
 * @returns undefined for an unknown symbol, and for an ISO code
 */
export function currenciesOfSymbol(symbol: string): ReadonlySet<string> | undefined {
  const known = symbol.normalize('NFKC').toLowerCase().replace(/\.$/, '');
  const currencies = symbols.get(known);
  if (currencies !== undefined) return currencies;
  const [, code = '', sign = ''] = /^(\p{L}{3})(\p{Sc})$/u.exec(known) ?? [];
  // Some banks write the code and the symbol, as in `USD$`. Letters that are not a code are not accepted here, because they may mean
  // thousands or millions, as in `k€` and `Mio$`.
  const currencyCode = code.toUpperCase();
  return symbols.get(sign)?.has(currencyCode) === true ? new Set([currencyCode]) : undefined;
}

/**
 * Returns the currencies that the text of a currency column may mean: a symbol, a name such as `Dólares`, or a numeric code
 * such as `978`.
 *
 * @returns undefined for an unknown text, and for an alphabetic ISO code such as `EUR`
 */
export function currenciesOfText(text: string): ReadonlySet<string> | undefined {
  return currenciesOfSymbol(text) ?? currenciesOfName(text);
}

/**
 * Returns whether `symbol` (a symbol, name or numeric code) can mean the currency `currencyCode`. Also returns true if `symbol` is an
 * unknown text or any alphabetic ISO code.
 */
export function canSymbolMean(symbol: string, currencyCode: string): boolean {
  return currenciesOfText(symbol)?.has(currencyCode) ?? true;
}

/**
 * The symbols and abbreviations of currencies, in lower case, and the ISO codes that they may mean. Abbreviations of multiples, such as `M`
 * and `Mio` for millions, are left out on purpose: as a currency symbol, `Mio` would make `5 Mio` an amount of 5.
 */
const codesOfSymbols: readonly (readonly [symbols: string, codes: string])[] = [
  [
    '$',
    'USD ARS AUD BBD BMD BND BRL BSD BZD CAD CLP COP CUP CVE DOP FJD GYD HKD JMD KYD LRD MOP MXN NAD NIO NZD SBD SGD SRD SVC TOP TTD TWD UYU WST XCD ZWG ZWL',
  ],
  ['us$ $us u$s u$d u$', 'USD'],
  ['a$ au$ $au', 'AUD'],
  ['ar$ arg$ $ar', 'ARS'],
  ['b$', 'BSD BND'],
  ['bb$ bds$', 'BBD'],
  ['bd$ bm$', 'BMD'],
  ['bn$', 'BND'],
  ['bs$ ba$', 'BSD'],
  ['bz$', 'BZD'],
  ['c$', 'CAD NIO'],
  ['ca$ can$ cdn$ $ca', 'CAD'],
  ['ci$ ky$', 'KYD'],
  ['cl$ ch$ $cl', 'CLP'],
  ['co$ col$ $co', 'COP'],
  ['cu$ $mn mn$', 'CUP MXN'],
  ['ec$', 'XCD'],
  ['fj$ f$', 'FJD'],
  ['g$ gy$', 'GYD'],
  ['hk$ $hk', 'HKD'],
  ['j$ jm$ ja$', 'JMD'],
  ['l$ lr$', 'LRD'],
  ['mx$ mex$ $mx', 'MXN'],
  ['n$ na$', 'NAD'],
  ['nt$ tw$', 'TWD'],
  ['nz$ $nz', 'NZD'],
  ['r$ br$', 'BRL'],
  ['rd$ do$', 'DOP'],
  ['s$ sg$ $sg', 'SGD'],
  ['si$ sb$', 'SBD'],
  ['sr$', 'SRD'],
  ['t$', 'TOP'],
  ['tt$', 'TTD'],
  ['$u uy$ ur$', 'UYU'],
  ['ws$', 'WST'],
  ['z$ zw$', 'ZWG ZWL'],
  ['£', 'GBP EGP FKP GIP LBP SDG SHP SSP SYP'],
  ['gb£ uk£ £gb', 'GBP'],
  ['e£ eg£ £e le l.e', 'EGP SLE SLL'],
  ['fk£', 'FKP'],
  ['l£ lb£ ll ل.ل', 'LBP'],
  ['s£ sy£', 'SYP'],
  ['€ euro euros евро ευρω', 'EUR'],
  ['¥', 'JPY CNY'],
  ['jp¥ 円 yen', 'JPY'],
  ['cn¥ rmb 人民币 人民幣', 'CNY'],
  ['元 圆 圓', 'CNY HKD MOP TWD'],
  ['港元 港币 港幣', 'HKD'],
  ['新台幣 新臺幣 台幣', 'TWD'],
  ['美元', 'USD'],
  ['원 won', 'KRW'],
  ['₩', 'KRW KPW'],
  ['₹ रु रू', 'INR NPR'],
  ['rs re', 'INR LKR MUR NPR PKR SCR'],
  ['ரூ රු', 'INR LKR'],
  ['kr кр', 'SEK NOK DKK ISK'],
  ['skr', 'SEK'],
  ['nkr', 'NOK'],
  ['dkr', 'DKK'],
  ['ikr íkr', 'ISK'],
  ['zł zl', 'PLN'],
  ['kč kc kčs', 'CZK'],
  ['sk', 'SKK'],
  ['kn', 'HRK'],
  ['lt', 'LTL'],
  ['ls', 'LVL'],
  ['dm', 'DEM'],
  ['ft forint', 'HUF'],
  ['lei leu лей леи', 'RON MDL'],
  ['fr f', 'CHF BIF CDF DJF GNF KMF RWF XAF XOF XPF BEF FRF LUF'],
  ['sfr', 'CHF'],
  ['fcfa cfa', 'XAF XOF'],
  ['fcfp cfpf', 'XPF'],
  ['fbu', 'BIF'],
  ['fc cf', 'CDF KMF'],
  ['fdj', 'DJF'],
  ['fg', 'GNF'],
  ['frw', 'RWF'],
  ['rf', 'RWF MVR'],
  ['лв lv', 'BGN'],
  ['дин din рсд', 'RSD'],
  ['ден den', 'MKD'],
  ['km км', 'BAM'],
  ['lek lekë', 'ALL'],
  ['₽', 'RUB'],
  ['руб р', 'RUB BYN'],
  ['br бр', 'BYN ETB'],
  ['ብር', 'ETB'],
  ['₴ грн', 'UAH'],
  ['₺ tl ytl', 'TRY'],
  ['₸ тг тнг тенге', 'KZT'],
  ['₼ ман man manat', 'AZN TMT'],
  ['₾ lari ლ', 'GEL'],
  ['֏ դր', 'AMD'],
  [`сум сўм soʻm so'm`, 'UZS'],
  ['сом som', 'KGS TJS'],
  ['сомони', 'TJS'],
  ['₮', 'MNT'],
  ['₫ đ đồng vnđ', 'VND'],
  ['฿ บาท บ', 'THB'],
  ['₪ ש"ח ש״ח nis', 'ILS'],
  ['₱', 'PHP'],
  ['p', 'BWP PHP'],
  ['៛', 'KHR'],
  ['₭', 'LAK'],
  ['k', 'MMK PGK ZMW'],
  ['ks', 'MMK'],
  ['zk kw', 'ZMW'],
  ['৳ tk taka', 'BDT'],
  ['nu', 'BTN'],
  ['rm', 'MYR'],
  ['rp', 'IDR'],
  ['؋ af afs', 'AFN'],
  ['₡', 'CRC SVC'],
  ['₲ gs', 'PYG'],
  ['s/', 'PEN'],
  ['bs bs.f bs.s bs.d', 'BOB VES VEF'],
  ['$b', 'BOB'],
  ['b/', 'PAB'],
  ['q', 'GTQ'],
  ['l lps', 'HNL ALL LSL'],
  ['g', 'HTG'],
  ['afl ƒ naf nafl', 'AWG ANG XCG NLG'],
  ['₦ n', 'NGN'],
  ['₵ gh₵ gh¢ ghc', 'GHS'],
  ['ksh kshs', 'KES'],
  ['tsh tshs', 'TZS'],
  ['ush ushs', 'UGX'],
  ['sh shs', 'KES SOS TZS UGX'],
  ['r', 'ZAR'],
  ['mk', 'MWK FIM'],
  ['mt mtn', 'MZN'],
  ['kz', 'AOA'],
  ['ar', 'MGA'],
  ['um أ.م', 'MRU'],
  ['da د.ج', 'DZD'],
  ['dt د.ت', 'TND'],
  ['dh dhs درهم', 'AED MAD'],
  ['د.إ', 'AED'],
  ['د.م', 'MAD'],
  ['د.ا د.أ jd', 'JOD'],
  ['د.ب bd', 'BHD'],
  ['د.ع', 'IQD'],
  ['د.ك kd', 'KWD'],
  ['د.ل ل.د ld', 'LYD'],
  ['دينار', 'BHD DZD IQD JOD KWD LYD TND'],
  ['ج.م', 'EGP'],
  ['جنيه', 'EGP SDG'],
  ['ج.س', 'SDG'],
  ['ر.س', 'SAR'],
  ['sr', 'SAR SCR'],
  ['ر.ع ro r.o', 'OMR'],
  ['ر.ق qr', 'QAR'],
  ['ر.ي', 'YER'],
  ['ر.إ', 'IRR'],
  ['ریال ريال', 'IRR OMR QAR SAR YER'],
  ['ل.س', 'SYP'],
];

const symbols: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  codesOfSymbols.flatMap(([list, codes]) =>
    list.split(' ').map((symbol) => [symbol.normalize('NFKC'), new Set(codes.split(' '))] as const),
  ),
);
