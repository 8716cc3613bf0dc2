import { CompactEncrypt, errors } from 'jose';
import { describe, expect, it } from 'vitest';
import { toEncryptionKey } from '../config/encryption-keys.js';
import { createSealing } from './secret-encryption.js';

const [older, newer] = [toEncryptionKey(Buffer.alloc(32, 1)), toEncryptionKey(Buffer.alloc(32, 2))];
const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

describe('sealing', () => {
  it('gives a text back to its owner, and tells nothing of it meanwhile', async () => {
    const sealing = createSealing([newer]);
    const stored = await sealing.seal(seed, 'totp:ana');
    expect(stored).not.toContain(seed);
    expect(Buffer.from(stored.split('.').at(-2) ?? '', 'base64url').toString('latin1')).not.toContain(seed);
    expect(stored.startsWith(String(sealing.prefix))).toBe(true);
    expect(await sealing.open(stored, 'totp:ana')).toBe(seed);
  });

  it('seals one text differently each time', async () => {
    const sealing = createSealing([newer]);
    expect(await sealing.seal(seed, 'totp:ana')).not.toBe(await sealing.seal(seed, 'totp:ana'));
  });

  it('does not give it to another owner, into whose row it was copied', async () => {
    const sealing = createSealing([newer]);
    const stored = await sealing.seal(seed, 'totp:ana');
    await expect(sealing.open(stored, 'totp:eve')).rejects.toThrow('was encrypted for another');
  });

  it('notices every changed character', async () => {
    const sealing = createSealing([newer]);
    const stored = await sealing.seal(seed, 'totp:ana');
    const token = stored.slice(String(sealing.prefix).length);
    for (let at = 0; at < token.length; at += 1) {
      // The highest bit of each character: the lowest of a part's last one carry nothing.
      const changed = token[at] === 'A' ? 'g' : 'A';
      const text = String(sealing.prefix) + token.slice(0, at) + changed + token.slice(at + 1);
      if (text !== stored) await expect(sealing.open(text, 'totp:ana'), `character ${at}`).rejects.toThrow();
    }
  });

  it('opens only what is encrypted as it encrypts', async () => {
    const header = { alg: 'dir', enc: 'A128CBC-HS256', owner: 'totp:ana' };
    const token = await new CompactEncrypt(Buffer.from(seed)).setProtectedHeader(header).encrypt(newer.bytes);
    const sealing = createSealing([newer]);
    await expect(sealing.open(sealing.prefix + token, 'totp:ana')).rejects.toThrow('cannot be decrypted with the key');
  });

  it('tells what it cannot decrypt by an error of its own: those of jose tell of a bad token', async () => {
    const sealing = createSealing([newer]);
    const opening = sealing.open(`${sealing.prefix}x.y.z`, 'totp:ana');
    await expect(opening).rejects.toThrow(`What is stored for totp:ana cannot be decrypted with the key ${newer.id}`);
    await expect(opening).rejects.not.toBeInstanceOf(errors.JOSEError);
  });

  it('seals with the first key and opens with all', async () => {
    const before = await createSealing([older]).seal(seed, 'totp:ana');
    const both = createSealing([newer, older]);
    expect(await both.open(before, 'totp:ana')).toBe(seed);
    const after = await both.seal(seed, 'totp:ana');
    expect(await createSealing([newer]).open(after, 'totp:ana')).toBe(seed);
  });

  it.each([
    ['another key', [newer]],
    ['no key', []],
  ])('with %s tells which is missing and what to do, and nothing of the keys', async (_, keys) => {
    const stored = await createSealing([older]).seal(seed, 'totp:ana');
    const opening = createSealing(keys).open(stored, 'totp:ana');
    await expect(opening).rejects.toThrow(
      `What is stored for totp:ana is encrypted with the key ${older.id}, which ENCRYPTION_KEY does not hold. Add that key`,
    );
  });

  it('without a key leaves everything as it is', async () => {
    const open = createSealing([]);
    expect(open.prefix).toBeNull();
    expect(await open.seal(seed, 'totp:ana')).toBe(seed);
    expect(await open.open(seed, 'totp:ana')).toBe(seed);
  });

  it('opens what was stored before there was a key', async () => {
    expect(await createSealing([newer]).open(seed, 'totp:ana')).toBe(seed);
  });
});
