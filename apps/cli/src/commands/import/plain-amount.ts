/** An amount of the API in a statement's spelling, without trailing zeros: `50.00` is `50`. */
export function plainAmount({ amountDecimal }: { readonly amountDecimal: string }): string {
  return amountDecimal.includes('.') ? amountDecimal.replace(/\.?0+$/, '') : amountDecimal;
}
