/**
 * The currencies that do not have two decimal places, by their number of decimal places. They are copied from ISO 4217 and not from
 * `@centavo/contracts`, so that a test can check the decimal places in that package.
 */
const decimalsOtherThanTwo: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const withTwo =
  'AED ARS AUD BRL CAD CHF CNY CZK DKK EGP EUR GBP HKD HUF IDR ILS INR KES MGA MRU MXN NOK NZD PKR PLN RON SEK TRY UAH USD ZAR';

/** All currencies whose number of decimal places is not two, and the common currencies with two decimal places. */
export const isoCurrencies: readonly { readonly code: string; readonly decimals: number }[] = [
  ...Object.entries(decimalsOtherThanTwo).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => ({ code, decimals: Number(decimals) })),
  ),
  ...withTwo.split(' ').map((code) => ({ code, decimals: 2 })),
];
