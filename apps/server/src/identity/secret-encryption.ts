import { CompactEncrypt, compactDecrypt } from 'jose';
import { ciphertextPrefix, type EncryptionKey } from '../config/encryption-keys.js';

/**
 * Encrypts what the provider has to read again (seeds of one-time codes, signing keys), so that a copy of the database tells
 * nothing of it. Source: decision 0031.
 */
export interface Sealing {
  /** How every text begins that is sealed as this server seals; null where it seals nothing. */
  readonly prefix: string | null;
  /**
   * Gives the text as it is to be stored: sealed with the first key, or as it is where there is none.
   * @param owner whose it is, from {@link totpOwner} or {@link signingKeyOwner}: for nobody else it is opened
   */
  seal(text: string, owner: string): Promise<string>;
  /**
   * Gives back what was sealed with any of the keys; a text that never was is given back as it is.
   * @throws Error with the remedy, where its key is not there or it was sealed for another owner
   */
  open(stored: string, owner: string): Promise<string>;
}

/** Whom the seed of a user is sealed for. */
export const totpOwner = (userId: string) => `totp:${userId}`;

/** Whom a signing key is sealed for. */
export const signingKeyOwner = (kid: string) => `signing key:${kid}`;

const sealed = /^sealed:([\w-]{8}):(.+)$/s;
const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** @param keys the first one seals, and all of them open */
export function createSealing(keys: readonly EncryptionKey[]): Sealing {
  const [first] = keys;
  const prefix = first === undefined ? null : ciphertextPrefix(first.id);

  return {
    prefix,
    async seal(text, owner) {
      if (first === undefined) return text;
      const header = { alg: 'dir', enc: 'A256GCM', owner };
      return prefix + (await new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(first.bytes));
    },
    async open(stored, owner) {
      const [, keyId, token] = sealed.exec(stored) ?? [];
      if (keyId === undefined || token === undefined) return stored;
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) {
        throw new Error(
          `What is stored for ${owner} is encrypted with the key ${keyId}, which ENCRYPTION_KEY does not hold. ` +
            'Add that key to it. If the key is lost, run `centavo-server discard-undecryptable`; docs/operations.md describes both.',
        );
      }
      const { plaintext, protectedHeader } = await compactDecrypt(token, key.bytes, algorithms).catch(
        (error: unknown) => {
          // Not jose's own error: those tell of a caller's bad token.
          throw new Error(`What is stored for ${owner} cannot be decrypted with the key ${keyId}`, { cause: error });
        },
      );
      if (protectedHeader.owner !== owner) throw new Error(`What is stored for ${owner} was encrypted for another`);
      return Buffer.from(plaintext).toString();
    },
  };
}
