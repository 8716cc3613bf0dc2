import { expect, test } from 'vitest';
import { printInputSchemas } from '../test-support/print-input-schemas.js';

// Update the file: npx vitest run input-schemas --update
test('the input schemas of all MCP tools equal those in input-schemas.json', async () => {
  await expect(printInputSchemas()).toMatchFileSnapshot('input-schemas.json');
});
