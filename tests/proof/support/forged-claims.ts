import type { Forgery, ValidToken } from './forged-tokens.js';
import { signToken } from './sign-token.js';

/**
 * Returns tokens with a valid signature and wrong claims. Each token lacks one required claim, or has an invalid issuer,
 * audience, time, subject or session id.
 * @param names the claims that this server requires
 */
export function forgeClaims(valid: ValidToken, names: readonly string[]): Forgery[] {
  const { header, claims, key } = valid;
  const issuer = String(claims.iss);
  const audience = String(claims.aud);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
    iss: [`${issuer}/`, issuer.toUpperCase(), `${issuer}.evil.example`, [issuer], '', null, 7, 'https://evil.example'],
    aud: [
      'other',
      `${audience}/`,
      audience.slice(1),
      [],
      ['other', 'another'],
      [[audience]],
      { 0: audience },
      '',
      null,
      7,
    ],
    exp: ['never', String(nowSeconds + 3_600), null, [nowSeconds + 3_600], {}, true],
    nbf: [nowSeconds + 3_600, nowSeconds + 90, 9e15, 'now', null, []],
    sub: ['', null, 7, ['a'], {}, 'a\u0000b', '\ud800', 'x'.repeat(256)],
    session_id: ['', null, 7, ['a'], {}, 'a\u0000b', '\udfff', 'x'.repeat(256)],
  };
  const sign = (attack: string, changed: Readonly<Record<string, unknown>>) => ({
    attack,
    token: signToken({ header, claims: changed }, { by: 'key', key }),
  });
  return [
    ...names.map((name) => sign(`without ${name}`, { ...claims, [name]: undefined })),
    ...Object.entries(wrongValues).flatMap(([name, values]) =>
      values.map((value) => sign(`${name} ${JSON.stringify(value)?.slice(0, 60)}`, { ...claims, [name]: value })),
    ),
  ];
}

/** Returns expired tokens with a valid signature. The server names the reason for a rejection only if the token is expired. */
export function forgeExpired({ header, claims, key }: ValidToken): Forgery[] {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return [nowSeconds - 31, nowSeconds - 3_600, 0, -1].map((exp) => ({
    attack: `exp ${exp}`,
    token: signToken({ header, claims: { ...claims, exp } }, { by: 'key', key }),
  }));
}
