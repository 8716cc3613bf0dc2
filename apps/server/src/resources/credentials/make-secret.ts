import { createHash } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';

/** A new secret with what is kept of it. */
export interface NewSecret {
  /** Shown once, in the answer that creates it. */
  readonly secret: string;
  readonly secretSha256: Buffer;
  readonly secretLast4: string;
}

/** Makes a secret of 256 random bits. A plain SHA-256 is enough to keep of so much chance. Source: contract, section 8. */
export function makeSecret(randomBytes: (size: number) => Uint8Array): NewSecret {
  const secret = formatSecret(randomBytes(32));
  return { secret, secretSha256: createHash('sha256').update(secret).digest(), secretLast4: secret.slice(-4) };
}
