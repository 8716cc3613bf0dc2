import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'type,currency_code,amount,description,date,source_name,destination_name';
const rows = ['Withdrawal,EUR,-25.00,Shop,2024-01-15,Checking,Shop', 'Deposit,EUR,900.00,Pay,2024-01-16,Acme,Checking'];

describe('the check for transfers without a direction', () => {
  it('requires an option for transfers of Firefly III, whose amounts have no minus even if the money leaves the account', async () => {
    const lines = [header, ...rows, 'Transfer,EUR,100.00,To savings,2024-01-18,Checking,Savings'];
    const { question } = await readExport(lines);
    expect(question).toEqual({
      message: '1 row is a transfer, whose direction an export of Firefly III does not show: line 4 is a "Transfer".',
      remedy: 'Take such rows out of the file. If their signs are right, use --direction-column "".',
      requiresOption: true,
    });
    const signed = await readExport(lines, { columns: { direction: '' } });
    expect(signed.question?.requiresOption).toBeUndefined();
  });

  it('requires no option if the export has no transfers, or is from a bank', async () => {
    expect((await readExport([header, ...rows])).question?.requiresOption).toBeUndefined();
    const bank = ['Type,Date,Amount', 'Transfer,2024-01-15,-25.00', 'Transfer,2024-01-16,30.00'];
    expect((await readExport(bank)).question?.requiresOption).toBeUndefined();
  });
});
