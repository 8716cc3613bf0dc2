import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';
import type pg from 'pg';

/** A tracker with rows that an earlier schema could contain. */
export interface OldTracker {
  readonly trackerId: string;
  readonly accountId: string;
  readonly movementId: string;
  /** The secret of an API client that may write movements. */
  readonly secret: string;
  /** An idempotency key that this client has used. */
  readonly idempotencyKey: string;
  /** Inserts the tracker's rows into every existing table, except tables that an earlier call has filled. */
  insertMissingRows(client: pg.Client): Promise<void>;
}

/** The values of a row by column name. */
type Row = Readonly<Record<string, unknown>>;

/**
 * Prepares one tracker with an opening balance of 100.00, an income of 12.50 and a transfer of 5.00 to another account. The
 * rows are inserted by the owner in plain SQL, because the code of earlier versions no longer exists.
 */
export function prepareOldTracker(): OldTracker {
  const trackerId = randomUUID();
  const userId = randomUUID();
  const accountId = randomUUID();
  const otherAccountId = randomUUID();
  const cashboxId = randomUUID();
  const otherCashboxId = randomUUID();
  const movementId = randomUUID();
  const transferId = randomUUID();
  const credentialId = randomUUID();
  const secret = formatSecret(randomBytes(32));
  const tracker_id = trackerId;
  const account = { tracker_id, name: 'Checking', type: 'checking', currency_code: 'EUR' };
  const cashbox = { tracker_id, name: 'Main', opening_balance: 100 };
  const movement = {
    tracker_id,
    currency_code: 'EUR',
    occurred_on: '2025-03-01',
    source_type: 'user',
    source_id: userId,
  };
  const leg = { ...movement, kind: 'transfer', amount: 5, transfer_group_id: transferId };
  const scopes = ['balances:read', 'movements:read', 'movements:write'];
  const tables: readonly (readonly [table: string, rows: readonly Row[]])[] = [
    ['app.trackers', [{ id: trackerId, name: 'Home', currency_code: 'EUR', time_zone: 'Europe/Madrid' }]],
    ['app.users', [{ id: userId, issuer: 'urn:centavo', subject: userId, email: 'old@example.org' }]],
    ['app.members', [{ tracker_id, user_id: userId, role: 'owner' }]],
    [
      'app.credentials',
      [
        {
          id: credentialId,
          user_id: userId,
          lineage_id: credentialId,
          kind: 'integration_client',
          name: 'Program',
          scopes,
          access_mode: 'all_memberships',
          secret_sha256: createHash('sha256').update(secret).digest(),
          secret_last4: secret.slice(-4),
          expires_at: '9999-12-31',
        },
      ],
    ],
    ['app.categories_in_use', [{ tracker_id, category_id: 'cat_unknown' }]],
    [
      'app.accounts',
      [
        { ...account, id: accountId },
        { ...account, id: otherAccountId },
      ],
    ],
    [
      'app.cashboxes',
      [
        // Here each balance is the opening balance. After the movements are inserted, the balances are computed again.
        { ...cashbox, id: cashboxId, account_id: accountId, balance: 100 },
        { ...cashbox, id: otherCashboxId, account_id: otherAccountId, balance: 100 },
      ],
    ],
    ['app.transfers', [{ tracker_id, id: transferId }]],
    [
      'app.movements',
      [
        {
          ...movement,
          id: movementId,
          type: 'income',
          kind: 'regular',
          amount: 12.5,
          account_id: accountId,
          cashbox_id: cashboxId,
          category_id: 'cat_unknown',
        },
        { ...leg, id: randomUUID(), type: 'expense', account_id: accountId, cashbox_id: cashboxId },
        { ...leg, id: randomUUID(), type: 'income', account_id: otherAccountId, cashbox_id: otherCashboxId },
      ],
    ],
    [
      'app.budgets',
      [
        {
          tracker_id,
          id: randomUUID(),
          name: 'March',
          mode: 'tracking',
          currency_code: 'EUR',
          period_start: '2025-03-01',
          period_end: '2025-03-31',
        },
      ],
    ],
    [
      'app.idempotency_keys',
      [
        {
          tracker_id,
          principal_root: `lineage:${credentialId}`,
          key: 'sent long ago',
          tracker_explicit: true,
          fingerprint: Buffer.alloc(32, 1),
          call_name: 'createMovement',
          data: '{}',
          request_id: randomUUID(),
        },
      ],
    ],
  ];
  const written = new Set<string>();
  return {
    trackerId,
    accountId,
    movementId,
    secret,
    idempotencyKey: 'sent long ago',
    async insertMissingRows(client) {
      for (const [table, rows] of tables) {
        if (written.has(table) || !(await tableExists(client, table))) continue;
        for (const row of rows) await insert(client, table, row);
        written.add(table);
        if (table === 'app.movements') await updateBalances(client, trackerId);
      }
    },
  };
}

async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table]);
  return rows[0]?.exists === true;
}

async function insert(client: pg.Client, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `$${index + 1}`);
  await client.query(`insert into ${table} (${columns}) values (${parameters})`, Object.values(row));
}

async function updateBalances(client: pg.Client, trackerId: string): Promise<void> {
  await client.query(
    `update app.cashboxes set balance = opening_balance + total
     from (
       select cashbox_id, sum(case type when 'income' then amount else -amount end) as total
       from app.movements where tracker_id = $1 group by cashbox_id
     ) as moved
     where moved.cashbox_id = cashboxes.id`,
    [trackerId],
  );
  await client.query(
    `update app.cashboxes set
       expense_count = (select count(*) from app.movements where cashbox_id = cashboxes.id and type = 'expense'),
       income_count = (select count(*) from app.movements where cashbox_id = cashboxes.id and type = 'income')
     where tracker_id = $1`,
    [trackerId],
  );
}
