import { createHash } from 'node:crypto';

/** A key of ENCRYPTION_KEY. */
export interface EncryptionKey {
  /** Eight characters by which keys are told apart, and which tell nothing of them: 48 bits of the hash of 256 random ones. */
  readonly id: string;
  /** 32 of them. */
  readonly bytes: Uint8Array;
}

/** What ENCRYPTION_KEY has to look like: 32 bytes in Base64, or several such with commas between. */
export const encryptionKeysPattern = /^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/;

/** @param text that fits {@link encryptionKeysPattern} */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] {
  return text.split(',').map((key) => toEncryptionKey(Buffer.from(key, 'base64')));
}

/** Returns the prefix of every secret that is encrypted with this key. */
export function ciphertextPrefix(keyId: string): string {
  return `sealed:${keyId}:`;
}

/** Names a key. */
export function toEncryptionKey(bytes: Uint8Array): EncryptionKey {
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes };
}
