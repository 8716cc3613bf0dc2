import type { Books } from '../server/create-books.js';

const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);

/**
 * The arguments for the tools that read lists, totals or histories. They request the largest pages. Totals cover one month, because a
 * summary of a very long history exceeds the time limit of a request.
 */
const calls: Readonly<Record<string, object>> = {
  get_balances: {},
  list_accounts: {},
  list_categories: {},
  list_movements: { limit: 100 },
  list_changes: { limit: 100 },
  list_budgets: { limit: 100 },
  summarize_movements: { groupBy: 'merchant', from: monthAgo, limit: 100 },
};

/**
 * Calls these tools over the Model Context Protocol. Returns the number of characters in the result of each tool, by its name.
 * @throws Error if a call fails
 */
export async function callReadTools(origin: string, books: Books): Promise<Readonly<Record<string, number>>> {
  const lengths: Record<string, number> = {};
  for (const [name, args] of Object.entries(calls)) {
    const response = await fetch(`${origin}/v1/mcp`, {
      method: 'POST',
      headers: {
        ...books.headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    const answer = await response.text();
    const { result } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
    const [{ text = '' } = {}] = result?.content ?? [];
    if (response.status !== 200 || result.isError === true) throw new Error(`${name} answered ${text || answer}`);
    lengths[name] = text.length;
  }
  return lengths;
}
