import { CompactEncrypt, compactDecrypt } from 'jose';
import { ciphertextPrefix, type EncryptionKey } from '../config/encryption-keys.js';

/**
 * Encrypts the secrets that the server must read back: TOTP secrets, signing keys and webhook secrets. A copy of the
 * database then does not disclose them.
 * @source decision 0031
 */
export interface SecretEncryption {
  /** The prefix of each ciphertext that was created with the first key; null if there are no keys. */
  readonly prefix: string | null;
  /**
   * Returns the text to store: encrypted with the first key, or unchanged if there are no keys.
   * @param owner the name of the owner of the secret, for example from {@link totpOwner}; decryption fails for another owner
   */
  encrypt(text: string, owner: string): Promise<string>;
  /**
   * Decrypts a stored text with the key that the ciphertext names. A text that was stored unencrypted is returned unchanged.
   * @throws Error if the key is missing (with the remedy), if the ciphertext is malformed or changed, or if it was encrypted for another
   *   owner
   */
  decrypt(stored: string, owner: string): Promise<string>;
}

/** Returns the owner name for a user's TOTP secret. */
export const totpOwner = (userId: string) => `totp:${userId}`;

/** Returns the owner name for a signing key. */
export const signingKeyOwner = (kid: string) => `signing key:${kid}`;

const ciphertext = /^sealed:([\w-]{8}):(.+)$/s;
const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Returns a {@link SecretEncryption} with the given keys. @param keys the first key encrypts, and all keys decrypt */
export function createSecretEncryption(keys: readonly EncryptionKey[]): SecretEncryption {
  const [first] = keys;
  const prefix = first === undefined ? null : ciphertextPrefix(first.id);

  return {
    prefix,
    async encrypt(text, owner) {
      if (first === undefined) return text;
      const header = { alg: 'dir', enc: 'A256GCM', owner };
      return prefix + (await new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(first.bytes));
    },
    async decrypt(stored, owner) {
      const [, keyId, token] = ciphertext.exec(stored) ?? [];
      if (keyId === undefined || token === undefined) return stored;
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) {
        throw new Error(
          `The secret of ${owner} is encrypted with the key ${keyId}, which is not in ENCRYPTION_KEY. ` +
            `Add that key to ENCRYPTION_KEY. If that key is lost, run \`centavo-server discard-undecryptable ${keyId}\`. See docs/operations.md.`,
        );
      }
      const { plaintext, protectedHeader } = await compactDecrypt(token, key.bytes, algorithms).catch(
        (error: unknown) => {
          // The server reports every error of the library jose as an invalid token of the caller, so this error must not be rethrown.
          throw new Error(`The secret of ${owner} cannot be decrypted with the key ${keyId}`, { cause: error });
        },
      );
      if (protectedHeader.owner !== owner) throw new Error(`The secret of ${owner} was encrypted for another owner`);
      return Buffer.from(plaintext).toString();
    },
  };
}
