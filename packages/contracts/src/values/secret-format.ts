/**
 * The prefix of the secrets of API keys and integration clients.
 * @source docs/contract.md, section 8
 */
export const secretPrefix = 'centavo_live_';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const secretPattern = /^centavo_live_[0-9A-Za-z]{49}$/;

/**
 * Returns a secret that encodes 256 random bits: the prefix, 43 base62 characters, and a checksum of 6 characters.
 * @param random 32 bytes from a cryptographic source
 */
export function formatSecret(random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('A secret is made of 32 random bytes');
  let value = 0n;
  for (const byte of random) value = value * 256n + BigInt(byte);
  const body = secretPrefix + toBase62(value, randomLength);
  return body + checksumOf(body);
}

/** Returns whether `text` has the format of a secret and a correct checksum. The check needs no request to the server. */
export function isWellFormedSecret(text: string): boolean {
  if (!secretPattern.test(text)) return false;
  return text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** Returns the CRC-32 (IEEE) of a text. The result is in base62, padded with `0` to 6 characters. */
function checksumOf(body: string): string {
  let crc = 0xffffffff;
  for (let index = 0; index < body.length; index += 1) {
    crc ^= body.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return toBase62(BigInt((crc ^ 0xffffffff) >>> 0), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}
