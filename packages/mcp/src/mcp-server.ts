import type { CallToolResult, ClientCapabilities, InputRequiredResult, McpServer } from '@modelcontextprotocol/server';
import type { Arguments } from './arguments.js';
import { callReadTool, type ToolResult } from './call-read-tool.js';
import { callWriteTool, type Preview, type RefusedWrite } from './call-write-tool.js';
import { refused, toRefusalText } from './refusals.js';
import { Session, type SessionOptions } from './session.js';
import { instructions, toListedTool } from './tools/index.js';
import type { WriteTool } from './tools/tool.js';

export interface McpServerOptions extends SessionOptions {
  readonly version: string;
}

/**
 * The time for which a client may cache the list of tools, in milliseconds. Caching is safe, because the list depends on the scopes of
 * the credential, and these never change.
 */
const listTtlMs = 60_000;

/**
 * Returns an MCP server with the tools of one caller, for one connection or one request. The server stores no state between
 * two calls.
 * @source docs/additions.md, section 6
 */
export async function createMcpServer({ version, ...options }: McpServerOptions): Promise<McpServer> {
  // Loads the MCP library only when a client needs it, because the API server and the command line also run without MCP.
  const { McpServer, ProtocolError, ProtocolErrorCode } = await import('@modelcontextprotocol/server');
  const session = new Session(options);
  const mcp = new McpServer(
    { name: 'centavo', title: 'Centavo', version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
    },
  );
  const { server } = mcp;
  server.setRequestHandler('tools/list', async () => {
    const tools = await session.listTools();
    return { tools: tools.map(toListedTool) as never };
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = session.findTool(params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No tool has this name.');
    const given: Arguments = params.arguments ?? {};
    if (tool.kind === 'read') return toCallResult(await callReadTool(session, tool, given));
    const canAsk = canAskUser(server.getClientCapabilities());
    const state = mcpReq.requestState<string>();
    const userAnswer = typeof state === 'string' ? readAnswer(mcpReq.inputResponses, state) : undefined;
    return answerWrite({ session, tool, given, canAsk, userAnswer });
  });
  return mcp;
}

/** Returns whether the client can show a form to its user. An empty `elicitation` capability means that the client can. */
function canAskUser(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The user's answer to the question that an earlier call returned. */
interface UserAnswer {
  readonly confirm: string;
  readonly isConfirmed: boolean;
}

function readAnswer(responses: Readonly<Record<string, unknown>> | undefined, confirm: string): UserAnswer {
  const { action, content } = (responses?.record ?? {}) as { action?: unknown; content?: { record?: unknown } };
  return { confirm, isConfirmed: action === 'accept' && content?.record === true };
}

/** Calls a write tool. If the user must accept the preview first, returns a question for the user instead of the preview. */
async function answerWrite(call: {
  readonly session: Session;
  readonly tool: WriteTool;
  readonly given: Arguments;
  readonly canAsk: boolean;
  readonly userAnswer: UserAnswer | undefined;
}): Promise<CallToolResult | InputRequiredResult> {
  const { session, tool, given, canAsk, userAnswer } = call;
  const { confirmMode } = session;
  if (confirmMode === 'elicit' && !canAsk) {
    return toCallResult(refused('CONFIRMATION_UNSUPPORTED', 'This client cannot ask its user.'));
  }
  if (userAnswer !== undefined && !userAnswer.isConfirmed) {
    return toCallResult(refused('NOT_CONFIRMED', 'The user did not confirm.'));
  }
  const asksUser = canAsk && (confirmMode === 'auto' || confirmMode === 'elicit');
  const result = await callWriteTool(session, tool, { given, confirmed: userAnswer?.confirm, asksUser });
  return result.ok === 'preview' && asksUser ? toQuestion(tool, result) : toCallResult(result);
}

/**
 * Returns a question for the user of the client. The `requestState` of the question is `confirm`, the confirmation of the write. The
 * client sends `confirm` back in the call that contains the answer of the user.
 */
function toQuestion(tool: WriteTool, { confirm, content }: Preview): InputRequiredResult {
  const { data, effects, omittedRows } = content;
  const params = {
    message: `${tool.title}? ${JSON.stringify({ data, effects, omittedRows })}`,
    requestedSchema: {
      type: 'object' as const,
      properties: { record: { type: 'boolean' as const, title: 'Record it' } },
      required: ['record'],
    },
  };
  return {
    resultType: 'input_required',
    requestState: confirm,
    inputRequests: { record: { method: 'elicitation/create', params } },
  };
}

function toCallResult(result: ToolResult | Preview | RefusedWrite): CallToolResult {
  if (result.ok === false) {
    const text = JSON.stringify(toRefusalText(result, result.confirm));
    return { content: [{ type: 'text', text }], isError: true };
  }
  const { content } = result;
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}
