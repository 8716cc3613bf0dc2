/**
 * The exact sum of signed decimals: `["-1.25", "10"]` gives `"8.75"`, without trailing zeros. Currencies play no part,
 * and no floating-point number is made.
 */
export function addDecimals(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length));
  const sum = amounts.reduce((total, amount) => total + toScaled(amount, scale), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function toScaled(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
