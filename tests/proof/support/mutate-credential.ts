import { crc32 } from 'node:zlib';
import { drawBelow, drawFrom } from './draw.js';
import type { SeededRandom } from './seeded-random.js';
import { encodeJson } from './sign-token.js';

const tokenAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/**
 * Returns a mutated token: another character or length, another bit of the signature, a changed claim or header with the old
 * signature, or a part of another token. Never returns another encoding of a valid token, because that would not be a forgery.
 */
export function mutateToken(random: SeededRandom, tokens: readonly string[]): string {
  for (;;) {
    const token = drawFrom(random, tokens);
    const mutated = drawFrom(random, tokenMutations)(token, random, tokens);
    if (!tokens.some((valid) => isSameToken(valid, mutated))) return mutated;
  }
}

/** Returns a mutated secret, half of the time with a correct checksum. */
export function mutateSecret(random: SeededRandom, secrets: readonly string[]): string {
  for (;;) {
    const secret = drawFrom(random, secrets);
    const mutated = drawFrom(random, letterMutations)(secret, { random, alphabet: base62 });
    const body = mutated.slice(0, -checksumLength);
    const candidate = random.hits(0.5) ? body + checksumOf(body) : mutated;
    if (!secrets.includes(candidate)) return candidate;
  }
}

type LetterMutation = (text: string, by: { readonly random: SeededRandom; readonly alphabet: string }) => string;

const letterMutations: readonly LetterMutation[] = [
  (text, { random, alphabet }) => replaceAt(text, drawBelow(random, text.length), [1, drawFrom(random, [...alphabet])]),
  (text, { random, alphabet }) => replaceAt(text, drawBelow(random, text.length), [0, drawFrom(random, [...alphabet])]),
  (text, { random }) => replaceAt(text, drawBelow(random, text.length), [1, '']),
  (text, { random }) => text.slice(0, 1 + drawBelow(random, text.length - 1)),
  (text, { random }) => {
    const at = drawBelow(random, text.length - 1);
    return replaceAt(text, at, [2, `${text.charAt(at + 1)}${text.charAt(at)}`]);
  },
];

type TokenMutation = (token: string, random: SeededRandom, tokens: readonly string[]) => string;

const tokenMutations: readonly TokenMutation[] = [
  ...letterMutations.map(
    (mutate): TokenMutation =>
      (token, random) =>
        mutate(token, { random, alphabet: tokenAlphabet }),
  ),
  (token, random) => {
    const [head, body, signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const at = drawBelow(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << drawBelow(random, 8));
    return [head, body, bytes.toString('base64url')].join('.');
  },
  (token, random) => changePart(token, 0, drawFrom(random, [{ kid: 'other' }, { alg: 'ES384' }, { cty: 'x' }])),
  (token, random) =>
    changePart(
      token,
      1,
      drawFrom(random, [
        { exp: 9_999_999_999 },
        { sub: crypto.randomUUID() },
        { session_id: crypto.randomUUID() },
        { amr: [{ method: 'totp', timestamp: Math.floor(Date.now() / 1000) }] },
      ]),
    ),
  (token, random, tokens) => {
    const parts = token.split('.');
    const at = drawBelow(random, parts.length);
    parts[at] = drawFrom(random, tokens).split('.')[at] ?? '';
    return parts.join('.');
  },
];

function changePart(token: string, at: 0 | 1, changes: object): string {
  const parts = token.split('.');
  const part = JSON.parse(Buffer.from(parts[at] ?? '', 'base64url').toString());
  parts[at] = encodeJson({ ...part, ...changes });
  return parts.join('.');
}

/**
 * Returns whether two tokens are equal. Compares the signed part by its text and the signature by its bytes: the last character
 * of a signature has unused bits, so several texts encode the same signature.
 */
function isSameToken(one: string, other: string): boolean {
  const [oneSignature = '', ...oneRest] = one.split('.').reverse();
  const [otherSignature = '', ...otherRest] = other.split('.').reverse();
  const bytesOf = (text: string) => Buffer.from(text, 'base64url');
  return oneRest.join('.') === otherRest.join('.') && bytesOf(oneSignature).equals(bytesOf(otherSignature));
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit += 1) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text;
}

function replaceAt(text: string, at: number, [removed, added]: readonly [number, string]): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}
