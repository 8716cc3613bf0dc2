import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = 'ID,Datetime,Type,Status,Note,From,To,Amount (total),Funding Source,Destination';
const fromBalance = '3303,2025-10-04T10:00:00,Payment,Complete,Taxi,Ann Lee,Eve Fox,- $10.00,Venmo balance,';
const income = '3302,2025-10-03T10:00:00,Payment,Complete,Rent,Cal Dow,Ann Lee,+ $30.00,,Venmo balance';
const fromCard = '3301,2025-10-02T10:00:00,Payment,Complete,Pizza,Ann Lee,Bob Ray,- $20.00,Visa Debit *1559,';

describe('a Venmo payment', () => {
  it('needs a confirmation (--yes), but no other option, if a card paid for it', async () => {
    const { rows, question } = await readExport([headers, fromCard, income, fromBalance]);
    expect(rows).toHaveLength(3);
    expect(question?.message).toMatch(
      /^A row was paid from another account: line 2 has "Visa Debit \*1559" in the column/,
    );
    expect(question?.requiresOption).toBeUndefined();
  });

  it('is not reported as paid from another account if the Venmo balance paid for it', async () => {
    const { question } = await readExport([headers, income, fromBalance]);
    expect(question?.message).toBe('The columns were guessed.');
  });
});
