import { describe, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { proofDatabases } from './support/proof-databases.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { SharedKeys } from './support/shared-keys.js';

const items = isLong ? 200_000 : 3_000;
const clients = 8;

const sandbox = openSandbox();

describe.each(proofDatabases)('with $name', ({ name, reasonToSkip, endsAtPart, open }) => {
  const note = reasonToSkip === undefined ? '' : ` (skipped: ${reasonToSkip})`;
  it.skipIf(reasonToSkip !== undefined)(
    `the server records one movement for each key that bulk and single requests share, without a deadlock${note}`,
    async () => {
      const database = await open(sandbox);
      const keys = await SharedKeys.open(sandbox, database);
      const deadlocks = await database.countDeadlocks();
      await keys.send({ items, clients, seed: proofSeed, isLate: () => isLate(endsAtPart) });
      const { violations, seen, sentItems, idOfKey, cashboxes } = keys;
      violations['deadlocks in PostgreSQL'] += (await database.countDeadlocks()) - deadlocks;
      await keys.compareTables(database);
      await database.close();

      await recordProof({
        id: 'T29',
        promise: `Three servers with ${name}: bulk requests and single posts under shared keys have one effect for each key, and do not deadlock`,
        seed: proofSeed,
        injected: { items: sentItems, keys: idOfKey.size, clients, cashboxes: cashboxes.length, ...seen },
        violations,
      });
      expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
      expect(seen.replayed).toBeGreaterThan(0);
    },
    proofMsMax,
  );
});
