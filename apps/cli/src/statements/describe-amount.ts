import { currencyExponent } from '@centavo/sdk';

/** An amount for a person, with the decimals of its currency: `45.30 EUR`. One that has more of them keeps them. */
export function describeAmount(amountDecimal: string, currencyCode: string | null): string {
  if (currencyCode === null) return amountDecimal;
  const [whole = '0', fraction = ''] = amountDecimal.split('.');
  const decimals = fraction.padEnd(currencyExponent(currencyCode), '0');
  return `${whole}${decimals === '' ? '' : `.${decimals}`} ${currencyCode}`;
}
