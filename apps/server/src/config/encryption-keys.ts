import { createHash } from 'node:crypto';

/** One key of ENCRYPTION_KEY. */
export interface EncryptionKey {
  /** Identifies the key without disclosing it: the first 48 bits of the key's SHA-256 hash, as eight characters of Base64url. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** The format of ENCRYPTION_KEY: 32 bytes in Base64, or several such keys separated by commas. */
export const encryptionKeysPattern = /^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/;

/** Parses ENCRYPTION_KEY. @param text matches {@link encryptionKeysPattern} */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] {
  return text.split(',').map((key) => toEncryptionKey(Buffer.from(key, 'base64')));
}

/** Returns the prefix of every secret that is encrypted with this key. */
export function ciphertextPrefix(keyId: string): string {
  return `sealed:${keyId}:`;
}

/** Computes the ID of a key, and returns the key with its ID. */
export function toEncryptionKey(bytes: Uint8Array): EncryptionKey {
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes };
}
