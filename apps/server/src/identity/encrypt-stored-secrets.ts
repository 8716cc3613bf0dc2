import { setTimeout as sleep } from 'node:timers/promises';
import type { Transactions } from '../database/database.js';
import { identityTransaction } from './identity-transaction.queries.js';
import { type Sealing, signingKeyOwner, totpOwner } from './secret-encryption.js';
import { lockOpenSigningKeys, updateSigningKey } from './signing-keys/signing-keys.queries.js';
import { hasOpenTotp, lockOpenTotp, type TotpSecrets, updateTotpSecrets } from './totp/totp.queries.js';

const rowsAtOnce = 200;
const pauseMs = 50;
// Whoever gives a code holds their row for milliseconds, and a server that starts too holds its batch for less than a second.
const pausesMax = 200;

/**
 * Seals with the first key what was stored before there was one, or while another one was the first. Several servers may do so
 * at once: each takes what nobody else has locked.
 * @throws Error where the key of something is not there any more, or a row stays locked
 */
export async function sealStored(database: Transactions, sealing: Sealing): Promise<void> {
  const { prefix } = sealing;
  if (prefix === null) return;
  await identityTransaction(database, async (tx) => {
    for (const { kid, stored } of await lockOpenSigningKeys(tx, prefix)) {
      const owner = signingKeyOwner(kid);
      await updateSigningKey(tx, { kid, stored: await sealing.seal(await sealing.open(stored, owner), owner) });
    }
  });
  let pauses = 0;
  while (await identityTransaction(database, (tx) => hasOpenTotp(tx, prefix))) {
    const count = await sealBatch(database, sealing, prefix);
    if (count > 0) continue;
    if (pauses === pausesMax)
      throw new Error('Authenticators could not be encrypted: their rows stay locked. Start again.');
    pauses += 1;
    await sleep(pauseMs);
  }
}

async function sealBatch(database: Transactions, sealing: Sealing, prefix: string): Promise<number> {
  const again = async (stored: string | null, owner: string) =>
    stored === null ? null : sealing.seal(await sealing.open(stored, owner), owner);
  return identityTransaction(database, async (tx) => {
    const rows = await lockOpenTotp(tx, { prefix, limit: rowsAtOnce });
    const changes: TotpSecrets[] = [];
    for (const { userId, secret, pendingSecret } of rows) {
      const owner = totpOwner(userId);
      changes.push({ userId, secret: await again(secret, owner), pendingSecret: await again(pendingSecret, owner) });
    }
    await updateTotpSecrets(tx, changes);
    return rows.length;
  });
}
