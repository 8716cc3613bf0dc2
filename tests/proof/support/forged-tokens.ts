import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { encodeJson, type Signing, signToken } from './sign-token.js';

/** A valid token, and the input for tokens like it. */
export interface GenuineToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: KeyObject;
  /** A URL that records the requests of a server that follows a token. */
  readonly lure: string;
}

/** A token that must be rejected, with the name of the attack. */
export interface Forgery {
  readonly trick: string;
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
export function forgeTokens(genuine: GenuineToken): Forgery[] {
  return [
    ...withoutSignature(genuine),
    ...confusedAlgorithms(genuine),
    ...strangeHeaders(genuine),
    ...misshapen(genuine),
  ];
}

function withoutSignature({ header, claims, key }: GenuineToken): Forgery[] {
  const spellings = ['none', 'None', 'NONE', 'nOnE', 'none ', ''];
  const whole = signToken({ header, claims }, { by: 'key', key });
  return [
    ...spellings.map((alg) => ({
      trick: `alg ${JSON.stringify(alg)}, unsigned`,
      token: signToken({ header: { ...header, alg }, claims }, { by: 'nobody' }),
    })),
    {
      trick: 'alg none, signed',
      token: signToken({ header: { ...header, alg: 'none' }, claims }, { by: 'key', key }),
    },
    { trick: 'the signature left out', token: whole.slice(0, whole.lastIndexOf('.') + 1) },
    { trick: 'a signature of zeros', token: `${beforeSignature(whole)}.${Buffer.alloc(64).toString('base64url')}` },
    { trick: 'a signature of one zero', token: `${beforeSignature(whole)}.${Buffer.alloc(1).toString('base64url')}` },
  ];
}

/** The public key as a shared secret in all published forms, other algorithms, and other keys. */
function confusedAlgorithms({ header, claims, key }: GenuineToken): Forgery[] {
  const publicKey = createPublicKey(key);
  const jwk = publicKey.export({ format: 'jwk' });
  const secrets = {
    PEM: publicKey.export({ type: 'spki', format: 'pem' }),
    DER: publicKey.export({ type: 'spki', format: 'der' }),
    JWK: JSON.stringify(jwk),
    'first coordinate': Buffer.from(jwk.x ?? jwk.n ?? '', 'base64url'),
    kid: String(header.kid),
    nothing: '',
  };
  const sign = (trick: string, alg: unknown, signing: Signing) => ({
    trick,
    token: signToken({ header: { ...header, alg }, claims }, signing),
  });
  const strangers = [
    ['ES256', attacker.ec.privateKey],
    ['RS256', attacker.rsa.privateKey],
    ['EdDSA', attacker.ed.privateKey],
  ] as const;
  const claimed = ['ES384', 'ES512', 'ES256K', 'RS384', 'PS384', 'EdDSA', 'HS256', 'dir', 'es256', 'rs256', 'X'];
  const odd = [undefined, null, 256, true, ['ES256'], { alg: 'ES256' }, '\u0000', '__proto__', 'constructor'];
  return [
    ...Object.entries(secrets).flatMap(([form, secret]) =>
      (
        [
          ['HS256', 'sha256'],
          ['HS384', 'sha384'],
          ['HS512', 'sha512'],
        ] as const
      ).map(([alg, hash]) => sign(`${alg} with the public key as ${form}`, alg, { by: 'secret', hash, secret })),
    ),
    ...strangers.map(([alg, stranger]) => sign(`${alg} with a key of one's own`, alg, { by: 'key', key: stranger })),
    ...strangers.map(([alg, stranger]) =>
      sign(`${alg} as ${header.alg} with a key of one's own`, header.alg, { by: 'key', key: stranger }),
    ),
    ...claimed.map((alg) => sign(`${alg} in the header of a genuine ${header.alg}`, alg, { by: 'key', key })),
    ...odd.map((alg) => sign(`alg ${JSON.stringify(alg)}`, alg, { by: 'key', key })),
  ];
}

/** Headers that contain, name or link a key, or require unknown extensions; some with a valid signature. */
function strangeHeaders({ header, claims, key, lure }: GenuineToken): Forgery[] {
  const mine = { by: 'key', key: attacker.ec.privateKey } as const;
  const jwk = { ...attacker.ec.publicKey.export({ format: 'jwk' }), kid: header.kid };
  const kids = [
    '../../../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    "x' union select private_jwk from identity.signing_keys --",
    lure,
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
    jku: lure,
    x5u: lure,
    x5c: [attacker.ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
  };
  const types = ['id+jwt', 'logout+jwt', 'JOSE', 'secevent+jwt', 7, '', 'at+jwt\u0000'];
  const byThem = (trick: string, changes: object, signing: Signing) => ({
    trick,
    token: signToken({ header: { ...header, ...changes }, claims }, signing),
  });
  return [
    ...kids.map((kid) => byThem(`kid ${JSON.stringify(kid)?.slice(0, 60)}`, { alg: 'ES256', kid }, mine)),
    byThem('kid of an empty file', { alg: 'HS256', kid: '/dev/null' }, { by: 'secret', hash: 'sha256', secret: '' }),
    ...Object.entries(keyed).flatMap(([name, value]) => [
      byThem(`${name} of one's own key`, { alg: 'ES256', [name]: value }, mine),
      byThem(`${name} of one's own key, under another kid`, { alg: 'ES256', kid: 'mine', [name]: value }, mine),
      byThem(`${name} beside the genuine key`, { [name]: value }, { by: 'key', key }),
    ]),
    byThem('crit of an extension', { crit: ['exp'], exp: 1 }, { by: 'key', key }),
    byThem('crit that is empty', { crit: [] }, { by: 'key', key }),
    byThem('crit b64', { crit: ['b64'], b64: false }, { by: 'key', key }),
    ...types.map((typ) => byThem(`typ ${JSON.stringify(typ)}`, { typ }, { by: 'key', key })),
  ];
}

/** Malformed tokens, and tokens with extra characters. */
function misshapen({ header, claims, key }: GenuineToken): Forgery[] {
  const whole = signToken({ header, claims }, { by: 'key', key });
  const [head = '', body = '', signature = ''] = whole.split('.');
  const signed = (trick: string, parts: { header?: unknown; claims?: unknown }) => ({
    trick,
    token: signToken({ header, claims, ...parts }, { by: 'key', key }),
  });
  const spelled = (trick: string, token: string) => ({ trick, token });
  return [
    spelled('two parts', `${head}.${body}`),
    spelled('four parts', `${whole}.${signature}`),
    spelled('five parts, as if it were encrypted', `${head}..${body}.${signature}.${signature}`),
    spelled('empty parts', '..'),
    spelled('an empty head', `.${body}.${signature}`),
    spelled('an empty body', `${head}..${signature}`),
    spelled('the parts in another order', `${body}.${head}.${signature}`),
    spelled('the body twice', `${head}.${body}${body}.${signature}`),
    spelled('in capitals', whole.toUpperCase()),
    spelled('two tokens', `${whole} ${whole}`),
    spelled('behind another word', `Bearer ${whole}`),
    spelled('as JSON', JSON.stringify({ protected: head, payload: body, signature })),
    spelled('in quotes', `"${whole}"`),
    spelled('with a letter beyond ASCII', `${whole}é`),
    spelled('with a percent-escape', whole.replace('.', '%2E')),
    spelled('with 9 KB of padding in its signature', `${whole}${'A'.repeat(9_000)}`),
    signed('9 KB of a claim', { claims: { ...claims, padding: 'x'.repeat(7_000) } }),
    ...['[]', 'null', '"text"', '7', '{', '', '{"alg":"ES256"', '\ufeff{}'].flatMap((text) => [
      signed(`${JSON.stringify(text)} as a body`, { claims: text }),
      signed(`${JSON.stringify(text)} as a head`, { header: text }),
    ]),
    spelled('a head without a body to sign', `${encodeJson(header)}.${encodeJson(claims)}.${encodeJson(claims)}`),
  ];
}

function beforeSignature(token: string): string {
  return token.slice(0, token.lastIndexOf('.'));
}
