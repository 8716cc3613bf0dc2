/**
 * How many decimals currencies have, copied from ISO 4217 a second time: what the contracts say is held against this.
 * Those that are not named have two.
 */
const decimalsOtherThanTwo: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const withTwo =
  'AED ARS AUD BRL CAD CHF CNY CZK DKK EGP EUR GBP HKD HUF IDR ILS INR KES MGA MRU MXN NOK NZD PKR PLN RON SEK TRY UAH USD ZAR';

/** Currencies with every number of decimals that there is, each with its own. */
export const isoCurrencies: readonly { readonly code: string; readonly decimals: number }[] = [
  ...Object.entries(decimalsOtherThanTwo).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => ({ code, decimals: Number(decimals) })),
  ),
  ...withTwo.split(' ').map((code) => ({ code, decimals: 2 })),
];
