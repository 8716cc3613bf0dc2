import pg from 'pg';
import { expect, it } from 'vitest';
import { describeSchema } from '../../test-support/describe-schema.js';
import { createTestDatabase } from '../../test-support/test-database.js';

it('the migrations create the schema in schema.sql', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    const remedy = 'If the change is intended, run "node tools/run.mjs schema" and review the diff.';
    await expect(header + (await describeSchema(client)), remedy).toMatchFileSnapshot('../../schema.sql');
  } finally {
    await client.end();
    await database.drop();
  }
});

const header = `-- The schema after all migrations, for readers. Written by \`node tools/run.mjs schema\`; do not edit.\n\n`;
