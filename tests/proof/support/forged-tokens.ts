import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { encodeJson, type Signing, signToken } from './sign-token.js';

/** The parts of a valid token, its signing key, and a URL for forgeries of the token. */
export interface ValidToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: KeyObject;
  /** A URL that forged tokens contain. The issuer counts requests for the URL, to detect a server that fetches it. */
  readonly decoyUrl: string;
}

/** A token that must be rejected, with the name of the attack. */
export interface Forgery {
  readonly attack: string;
  readonly token: string;
}

const attacker = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed: generateKeyPairSync('ed25519'),
};

/**
 * Returns forgeries of one genuine token for all known attacks.
 * @source RFC 8725; RFC 7515, sections 4 and 5.2
 */
export function forgeTokens(valid: ValidToken): Forgery[] {
  return [
    ...withoutSignature(valid),
    ...withConfusedAlgorithms(valid),
    ...withManipulatedHeaders(valid),
    ...malformedTokens(valid),
  ];
}

function withoutSignature({ header, claims, key }: ValidToken): Forgery[] {
  const spellingsOfNone = ['none', 'None', 'NONE', 'nOnE', 'none ', ''];
  const whole = signToken({ header, claims }, { by: 'key', key });
  return [
    ...spellingsOfNone.map((alg) => ({
      attack: `alg ${JSON.stringify(alg)}, unsigned`,
      token: signToken({ header: { ...header, alg }, claims }, { by: 'nobody' }),
    })),
    {
      attack: 'alg none, signed',
      token: signToken({ header: { ...header, alg: 'none' }, claims }, { by: 'key', key }),
    },
    { attack: 'the signature left out', token: whole.slice(0, whole.lastIndexOf('.') + 1) },
    { attack: 'a signature of zeros', token: `${beforeSignature(whole)}.${Buffer.alloc(64).toString('base64url')}` },
    { attack: 'a signature of one zero', token: `${beforeSignature(whole)}.${Buffer.alloc(1).toString('base64url')}` },
  ];
}

/** Returns tokens with other algorithms or other keys. Some use public data, such as the public key, as a shared secret. */
function withConfusedAlgorithms({ header, claims, key }: ValidToken): Forgery[] {
  const publicKey = createPublicKey(key);
  const jwk = publicKey.export({ format: 'jwk' });
  const secrets = {
    'the public key as PEM': publicKey.export({ type: 'spki', format: 'pem' }),
    'the public key as DER': publicKey.export({ type: 'spki', format: 'der' }),
    'the public key as JWK': JSON.stringify(jwk),
    'the first coordinate or the modulus': Buffer.from(jwk.x ?? jwk.n ?? '', 'base64url'),
    'the kid': String(header.kid),
    'an empty string': '',
  };
  const sign = (attack: string, alg: unknown, signing: Signing) => ({
    attack,
    token: signToken({ header: { ...header, alg }, claims }, signing),
  });
  const attackerKeys = [
    ['ES256', attacker.ec.privateKey],
    ['RS256', attacker.rsa.privateKey],
    ['EdDSA', attacker.ed.privateKey],
  ] as const;
  const otherAlgorithms = [
    'ES384',
    'ES512',
    'ES256K',
    'RS384',
    'PS384',
    'EdDSA',
    'HS256',
    'dir',
    'es256',
    'rs256',
    'X',
  ];
  const invalidAlgorithms = [
    undefined,
    null,
    256,
    true,
    ['ES256'],
    { alg: 'ES256' },
    '\u0000',
    '__proto__',
    'constructor',
  ];
  return [
    ...Object.entries(secrets).flatMap(([form, secret]) =>
      (
        [
          ['HS256', 'sha256'],
          ['HS384', 'sha384'],
          ['HS512', 'sha512'],
        ] as const
      ).map(([alg, hash]) => sign(`${alg} with ${form} as the secret`, alg, { by: 'secret', hash, secret })),
    ),
    ...attackerKeys.map(([alg, attackerKey]) =>
      sign(`${alg} with the attacker's key`, alg, { by: 'key', key: attackerKey }),
    ),
    ...attackerKeys.map(([alg, attackerKey]) =>
      sign(`${alg} as ${header.alg} with the attacker's key`, header.alg, { by: 'key', key: attackerKey }),
    ),
    ...otherAlgorithms.map((alg) => sign(`${alg} in the header of a genuine ${header.alg}`, alg, { by: 'key', key })),
    ...invalidAlgorithms.map((alg) => sign(`alg ${JSON.stringify(alg)}`, alg, { by: 'key', key })),
  ];
}

/** Returns tokens whose headers contain a key, refer to a key, or require unknown extensions. Some have a valid signature. */
function withManipulatedHeaders({ header, claims, key, decoyUrl }: ValidToken): Forgery[] {
  const attackerSigning = { by: 'key', key: attacker.ec.privateKey } as const;
  const jwk = { ...attacker.ec.publicKey.export({ format: 'jwk' }), kid: header.kid };
  const kids = [
    '../../../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    "x' union select private_jwk from identity.signing_keys --",
    decoyUrl,
    `${String(header.kid)}\u0000`,
    ` ${String(header.kid)}`,
    String(header.kid).slice(0, -1),
    `${String(header.kid)}`.normalize('NFD').concat('\u200b'),
    '',
    '💶',
    'x'.repeat(1_000),
    '__proto__',
    'constructor',
    'hasOwnProperty',
    undefined,
    null,
    0,
    true,
    [header.kid],
    { $ne: null },
  ];
  const keyed = {
    jwk,
    jku: decoyUrl,
    x5u: decoyUrl,
    x5c: [attacker.ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
  };
  const types = ['id+jwt', 'logout+jwt', 'JOSE', 'secevent+jwt', 7, '', 'at+jwt\u0000'];
  const withHeader = (attack: string, changes: object, signing: Signing) => ({
    attack,
    token: signToken({ header: { ...header, ...changes }, claims }, signing),
  });
  return [
    ...kids.map((kid) =>
      withHeader(`kid ${JSON.stringify(kid)?.slice(0, 60)}`, { alg: 'ES256', kid }, attackerSigning),
    ),
    withHeader(
      'kid of an empty file',
      { alg: 'HS256', kid: '/dev/null' },
      { by: 'secret', hash: 'sha256', secret: '' },
    ),
    ...Object.entries(keyed).flatMap(([name, value]) => [
      withHeader(`${name} of the attacker's key`, { alg: 'ES256', [name]: value }, attackerSigning),
      withHeader(
        `${name} of the attacker's key, under another kid`,
        { alg: 'ES256', kid: 'mine', [name]: value },
        attackerSigning,
      ),
      withHeader(`${name} beside the genuine key`, { [name]: value }, { by: 'key', key }),
    ]),
    withHeader('crit of an extension', { crit: ['exp'], exp: 1 }, { by: 'key', key }),
    withHeader('crit that is empty', { crit: [] }, { by: 'key', key }),
    withHeader('crit b64', { crit: ['b64'], b64: false }, { by: 'key', key }),
    ...types.map((typ) => withHeader(`typ ${JSON.stringify(typ)}`, { typ }, { by: 'key', key })),
  ];
}

/** Returns malformed tokens, and tokens with extra characters. */
function malformedTokens({ header, claims, key }: ValidToken): Forgery[] {
  const whole = signToken({ header, claims }, { by: 'key', key });
  const [head = '', body = '', signature = ''] = whole.split('.');
  const signed = (attack: string, parts: { header?: unknown; claims?: unknown }) => ({
    attack,
    token: signToken({ header, claims, ...parts }, { by: 'key', key }),
  });
  const malformed = (attack: string, token: string) => ({ attack, token });
  return [
    malformed('two parts', `${head}.${body}`),
    malformed('four parts', `${whole}.${signature}`),
    malformed('five parts, as if it were encrypted', `${head}..${body}.${signature}.${signature}`),
    malformed('empty parts', '..'),
    malformed('an empty head', `.${body}.${signature}`),
    malformed('an empty body', `${head}..${signature}`),
    malformed('the parts in another order', `${body}.${head}.${signature}`),
    malformed('the body twice', `${head}.${body}${body}.${signature}`),
    malformed('in capitals', whole.toUpperCase()),
    malformed('two tokens', `${whole} ${whole}`),
    malformed('behind another word', `Bearer ${whole}`),
    malformed('as JSON', JSON.stringify({ protected: head, payload: body, signature })),
    malformed('in quotes', `"${whole}"`),
    malformed('with a letter beyond ASCII', `${whole}é`),
    malformed('with a percent-escape', whole.replace('.', '%2E')),
    malformed('with 9 KB of padding in its signature', `${whole}${'A'.repeat(9_000)}`),
    signed('9 KB of a claim', { claims: { ...claims, padding: 'x'.repeat(7_000) } }),
    ...['[]', 'null', '"text"', '7', '{', '', '{"alg":"ES256"', '\ufeff{}'].flatMap((text) => [
      signed(`${JSON.stringify(text)} as the payload`, { claims: text }),
      signed(`${JSON.stringify(text)} as the header`, { header: text }),
    ]),
    malformed('the body as the signature', `${encodeJson(header)}.${encodeJson(claims)}.${encodeJson(claims)}`),
  ];
}

function beforeSignature(token: string): string {
  return token.slice(0, token.lastIndexOf('.'));
}
