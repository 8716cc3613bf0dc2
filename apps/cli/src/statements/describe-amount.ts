import { currencyCodes, currencyExponent } from '@centavo/sdk';

/**
 * An amount for a person, with the decimals of its currency: `45.30 EUR`. One that has more of them keeps them, and so does
 * one in what is no currency.
 */
export function describeAmount(amountDecimal: string, currencyCode: string | null): string {
  if (currencyCode === null) return amountDecimal;
  if (!currencyCodes.has(currencyCode)) return `${amountDecimal} ${currencyCode}`;
  const [whole = '0', fraction = ''] = amountDecimal.split('.');
  const decimals = fraction.padEnd(currencyExponent(currencyCode), '0');
  return `${whole}${decimals === '' ? '' : `.${decimals}`} ${currencyCode}`;
}
