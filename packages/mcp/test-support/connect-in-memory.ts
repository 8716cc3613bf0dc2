import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createMcpServer, type McpServerOptions } from '../src/index.js';

/**
 * Connects an MCP client to an MCP server in this process, with a protocol version from 2025. `answer` returns the user's answer to each
 * question. Without `answer`, the client cannot ask its user.
 */
export async function connectInMemory(
  options: Omit<McpServerOptions, 'version'>,
  answer?: () => { action: 'accept' | 'decline'; content?: { record: boolean } },
) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (answer !== undefined) client.setRequestHandler('elicitation/create', async () => answer());
  await (await createMcpServer({ ...options, version: '1' })).connect(serverSide);
  await client.connect(clientSide);
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
    const text = (content as unknown as [{ text: string }])[0].text;
    return { text, isError, structuredContent, json: JSON.parse(text) };
  };
  return { client, call };
}
