/**
 * Returns the currencies that a symbol may mean: `£` is the pound of several countries, and `kr` the krone or krona of four
 * countries. Such a symbol does not determine the currency, but excludes all other currencies.
 *
 * @param symbol the symbol as it is written next to an amount: `"US$"`, `"kr."`, `"zł"`
 * @returns undefined for an unknown symbol, and for an ISO code
 */
export function currenciesOfSymbol(symbol: string): ReadonlySet<string> | undefined {
  const known = symbol.normalize('NFKC').toLowerCase().replace(/\.$/, '');
  // An unknown dollar symbol, such as `EC$`, may mean any dollar.
  return symbols.get(known) ?? symbols.get(known.replace(/^\p{L}+(?=\p{Sc}$)/u, ''));
}

/** Returns whether an amount with this symbol can be in the currency; true for an unknown symbol. */
export function canSymbolMean(symbol: string, currencyCode: string): boolean {
  return currenciesOfSymbol(symbol)?.has(currencyCode) ?? true;
}

/** The ISO codes that each currency symbol or abbreviation, in lower case, may mean. */
const codesOfSymbols: Readonly<Record<string, string>> = {
  $: `USD ARS AUD BBD BMD BND BRL BSD BZD CAD CLP COP CUP CVE DOP FJD GYD HKD JMD KYD LRD MOP MXN NAD NIO NZD SBD
    SGD SRD SVC TOP TTD TWD UYU WST XCD ZWG ZWL`,
  us$: 'USD',
  u$s: 'USD',
  a$: 'AUD',
  au$: 'AUD',
  c$: 'CAD NIO',
  ca$: 'CAD',
  hk$: 'HKD',
  mx$: 'MXN',
  nt$: 'TWD',
  nz$: 'NZD',
  r$: 'BRL',
  s$: 'SGD',
  '£': 'GBP EGP FKP GIP LBP SDG SHP SSP SYP',
  '€': 'EUR',
  '¥': 'JPY CNY',
  円: 'JPY',
  元: 'CNY',
  원: 'KRW',
  '₩': 'KRW KPW',
  '₹': 'INR',
  rs: 'INR LKR MUR NPR PKR SCR',
  kr: 'SEK NOK DKK ISK',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  lei: 'RON MDL',
  fr: 'CHF BIF CDF DJF GNF KMF RWF XAF XOF XPF',
  sfr: 'CHF',
  лв: 'BGN',
  '₽': 'RUB',
  руб: 'RUB',
  '₴': 'UAH',
  грн: 'UAH',
  '₺': 'TRY',
  tl: 'TRY',
  '₸': 'KZT',
  '₼': 'AZN',
  '₾': 'GEL',
  '֏': 'AMD',
  '₮': 'MNT',
  '₫': 'VND',
  đ: 'VND',
  '฿': 'THB',
  '₪': 'ILS',
  '₱': 'PHP',
  '៛': 'KHR',
  '₭': 'LAK',
  '৳': 'BDT',
  rm: 'MYR',
  rp: 'IDR',
  '₡': 'CRC SVC',
  '₲': 'PYG',
  's/': 'PEN',
  '₦': 'NGN',
  '₵': 'GHS',
  ksh: 'KES',
  'د.ا': 'JOD',
  'د.إ': 'AED',
  'د.ب': 'BHD',
  'د.ت': 'TND',
  'د.ج': 'DZD',
  'د.ع': 'IQD',
  'د.ك': 'KWD',
  'د.ل': 'LYD',
  'د.م': 'MAD',
  'ج.م': 'EGP',
  'ر.س': 'SAR',
  'ر.ع': 'OMR',
  'ر.ق': 'QAR',
  'ر.ي': 'YER',
  'ل.ل': 'LBP',
  'ل.س': 'SYP',
};

const symbols: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(codesOfSymbols).map(([symbol, codes]) => [symbol.normalize('NFKC'), new Set(codes.split(/\s+/))]),
);
