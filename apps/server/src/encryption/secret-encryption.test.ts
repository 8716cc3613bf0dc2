import { CompactEncrypt, errors } from 'jose';
import { describe, expect, it } from 'vitest';
import { toEncryptionKey } from '../config/encryption-keys.js';
import { createSecretEncryption } from './secret-encryption.js';

const [older, newer] = [toEncryptionKey(Buffer.alloc(32, 1)), toEncryptionKey(Buffer.alloc(32, 2))];
const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

describe('SecretEncryption', () => {
  it('encrypts a secret for an owner so that the ciphertext does not contain the secret, and decrypts it for that owner', async () => {
    const encryption = createSecretEncryption([newer]);
    const stored = await encryption.encrypt(seed, 'totp:ana');
    expect(stored).not.toContain(seed);
    expect(Buffer.from(stored.split('.').at(-2) ?? '', 'base64url').toString('latin1')).not.toContain(seed);
    expect(stored.startsWith(String(encryption.prefix))).toBe(true);
    expect(await encryption.decrypt(stored, 'totp:ana')).toBe(seed);
  });

  it('returns a different ciphertext each time for the same secret', async () => {
    const encryption = createSecretEncryption([newer]);
    expect(await encryption.encrypt(seed, 'totp:ana')).not.toBe(await encryption.encrypt(seed, 'totp:ana'));
  });

  it('rejects a ciphertext that was copied to another owner', async () => {
    const encryption = createSecretEncryption([newer]);
    const stored = await encryption.encrypt(seed, 'totp:ana');
    await expect(encryption.decrypt(stored, 'totp:eve')).rejects.toThrow('was encrypted for another');
  });

  it('rejects a ciphertext with any changed character', async () => {
    const encryption = createSecretEncryption([newer]);
    const stored = await encryption.encrypt(seed, 'totp:ana');
    const token = stored.slice(String(encryption.prefix).length);
    for (let at = 0; at < token.length; at += 1) {
      // The unused lowest bits in the last character of a Base64url part are 0. They are also 0 in `A` and `g`, so each replacement
      // changes a used bit.
      const changed = token[at] === 'A' ? 'g' : 'A';
      const text = String(encryption.prefix) + token.slice(0, at) + changed + token.slice(at + 1);
      if (text !== stored) await expect(encryption.decrypt(text, 'totp:ana'), `character ${at}`).rejects.toThrow();
    }
  });

  it('rejects a ciphertext encrypted with the unsupported algorithm A128CBC-HS256', async () => {
    const header = { alg: 'dir', enc: 'A128CBC-HS256', owner: 'totp:ana' };
    const token = await new CompactEncrypt(Buffer.from(seed)).setProtectedHeader(header).encrypt(newer.bytes);
    const encryption = createSecretEncryption([newer]);
    await expect(encryption.decrypt(encryption.prefix + token, 'totp:ana')).rejects.toThrow(
      'cannot be decrypted with the key',
    );
  });

  it('rejects a malformed ciphertext with an error that names owner and key, instead of a JOSEError', async () => {
    const encryption = createSecretEncryption([newer]);
    const decrypting = encryption.decrypt(`${encryption.prefix}x.y.z`, 'totp:ana');
    await expect(decrypting).rejects.toThrow(`The secret of totp:ana cannot be decrypted with the key ${newer.id}`);
    await expect(decrypting).rejects.not.toBeInstanceOf(errors.JOSEError);
  });

  it('encrypts with the first key and decrypts with every key', async () => {
    const before = await createSecretEncryption([older]).encrypt(seed, 'totp:ana');
    const both = createSecretEncryption([newer, older]);
    expect(await both.decrypt(before, 'totp:ana')).toBe(seed);
    const after = await both.encrypt(seed, 'totp:ana');
    expect(await createSecretEncryption([newer]).decrypt(after, 'totp:ana')).toBe(seed);
  });

  it.each([
    ['another key', [newer]],
    ['no key', []],
  ])('reports the missing key and the remedy if ENCRYPTION_KEY has %s', async (_, keys) => {
    const stored = await createSecretEncryption([older]).encrypt(seed, 'totp:ana');
    const decrypting = createSecretEncryption(keys).decrypt(stored, 'totp:ana');
    await expect(decrypting).rejects.toThrow(
      `The secret of totp:ana is encrypted with the key ${older.id}, which is not in ENCRYPTION_KEY. ` +
        `Add that key to ENCRYPTION_KEY. If that key is lost, run \`centavo-server discard-undecryptable ${older.id}\`.`,
    );
  });

  it('returns a secret unchanged without an encryption key', async () => {
    const unencrypted = createSecretEncryption([]);
    expect(unencrypted.prefix).toBeNull();
    expect(await unencrypted.encrypt(seed, 'totp:ana')).toBe(seed);
    expect(await unencrypted.decrypt(seed, 'totp:ana')).toBe(seed);
  });

  it('returns plaintext unchanged if it was stored before an encryption key was set', async () => {
    expect(await createSecretEncryption([newer]).decrypt(seed, 'totp:ana')).toBe(seed);
  });
});
