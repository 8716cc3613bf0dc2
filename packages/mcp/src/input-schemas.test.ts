import { expect, test } from 'vitest';
import { printInputSchemas } from '../test-support/print-input-schemas.js';

// Update the file: npx vitest run input-schemas --update
test('describes the arguments of every tool as the contracts do', async () => {
  await expect(printInputSchemas()).toMatchFileSnapshot('input-schemas.json');
});
