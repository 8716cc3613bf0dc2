import { type CallResult, startTestServer, type TestServer, type TestUser } from './start-test-server.js';

/** A server, and somebody's movements of one month in two accounts and three categories, with a transfer after them. */
export interface January {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly tracker: { readonly id: string; readonly accountId: string; readonly cashboxId: string };
  /** The second account. */
  readonly other: { readonly id: string; readonly cashboxes: readonly { readonly id: string }[] };
  readonly categories: readonly string[];
  readonly record: (body: Record<string, unknown>) => Promise<CallResult<'createMovement'>>;
  readonly list: (query?: Record<string, string>) => Promise<CallResult<'listMovements'>>;
}

/** Starts it. Many of the movements share a day, so that the order needs its ties broken. */
export async function startJanuary(): Promise<January> {
  const server = await startTestServer();
  const user = await server.newUser();
  const tracker = await server.newTracker(user);
  const other = await server.newAccount(user, tracker.id, { name: 'Card', type: 'credit_card' });
  const categories: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const { data } = await server.call('createCategory', { token: user.token, body: { name } });
    categories.push(data.id);
  }
  const record: January['record'] = (body) => server.call('createMovement', { token: user.token, body });
  for (let index = 0; index < 24; index += 1) {
    await record({
      type: index % 3 === 0 ? 'income' : 'expense',
      amountDecimal: `${index + 1}`,
      accountId: index % 4 === 0 ? other.id : tracker.accountId,
      categoryId: categories[index % 3],
      occurredOn: `2026-01-${String(1 + (index % 5)).padStart(2, '0')}`,
    });
  }
  await server.call('createTransfer', {
    token: user.token,
    body: { amountDecimal: '9', fromAccountId: other.id, toAccountId: tracker.accountId, occurredOn: '2026-02-01' },
  });
  return {
    server,
    user,
    tracker,
    other,
    categories,
    record,
    list: (query = {}) => server.call('listMovements', { token: user.token, query }),
  };
}
