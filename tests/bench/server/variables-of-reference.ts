/** The response that the reference stores for a movement. It is about as long as Centavo's, so that both write a similar amount of data. */
const movementAnswer = {
  id: '10000000-0000-4000-8000-000000000001',
  trackerId: '10000000-0000-4000-8000-000000000002',
  type: 'expense',
  kind: 'regular',
  amountDecimal: '12.34',
  currencyCode: 'EUR',
  accountId: '00000000-0000-4000-9000-000000000001',
  cashboxId: '00000000-0000-4000-8000-000000000001',
  categoryId: 'cat_unknown',
  occurredOn: '2026-03-01',
  description: 'Weekly shopping',
  merchantName: 'Corner shop',
  transferGroupId: null,
  source: { type: 'integration_client', id: '10000000-0000-4000-8000-000000000003' },
  version: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
};

const transferAnswer = {
  groupId: '10000000-0000-4000-8000-000000000004',
  trackerId: movementAnswer.trackerId,
  from: movementAnswer,
  to: movementAnswer,
};

/** Returns the values of the variables in the reference's scripts. */
export function namesOfReference(books: {
  readonly trackerId: string;
  readonly budgetId: string;
  /** Hexadecimal. */
  readonly secretSha256: string;
}): Readonly<Record<string, string>> {
  return {
    tracker_id: books.trackerId,
    budget_id: books.budgetId,
    secret_sha256: `\\x${books.secretSha256}`,
    // Any 32 bytes: the value is written and never read.
    fingerprint: `\\x${books.secretSha256}`,
    movement_answer: JSON.stringify(movementAnswer),
    transfer_answer: JSON.stringify(transferAnswer),
    change: JSON.stringify({ amountDecimal: ['12.34', '43.21'] }),
  };
}
