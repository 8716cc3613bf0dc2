/**
 * The entry point of the package: an MCP server whose tools are operations of the API. The caller passes the executor that runs
 * the operations.
 */
export type { Executor, OperationRequest, OperationResponse, Refusal, Refused } from './executor.js';
export { createMcpServer, type McpServerOptions } from './mcp-server.js';
export { type ConfirmMode, confirmModes, type SessionOptions } from './session.js';
export { rowsDefault, rowsMax, textLengthMax } from './size-limits.js';
export { allTools, toolsOfScopes } from './tools/index.js';
export type { Paging, ReadTool, Tool, WriteTool } from './tools/tool.js';
