import { join } from 'node:path';

/** The MCP clients whose configuration `centavo mcp install` writes. */
export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const;

export type ClientName = (typeof clientNames)[number];

/** The machine that a client runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The value of the environment variable `APPDATA` of Windows. */
  readonly appData: string | undefined;
}

/** The JSON file in which a client lists its MCP servers, and the field that maps their names to their entries. */
export interface ClientConfiguration {
  readonly file: string;
  readonly field: 'mcpServers' | 'servers';
}

/** Returns the file and the field in which a client lists the MCP servers of this user. Pure. */
export function configurationOf(client: ClientName, machine: Machine): ClientConfiguration {
  switch (client) {
    case 'claude-desktop':
      return { file: join(applicationData(machine), 'Claude', 'claude_desktop_config.json'), field: 'mcpServers' };
    case 'claude-code':
      return { file: join(machine.home, '.claude.json'), field: 'mcpServers' };
    case 'cursor':
      return { file: join(machine.home, '.cursor', 'mcp.json'), field: 'mcpServers' };
    case 'vscode':
      return { file: join(applicationData(machine), 'Code', 'User', 'mcp.json'), field: 'servers' };
  }
}

function applicationData({ platform, home, appData }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return appData ?? join(home, 'AppData', 'Roaming');
  return join(home, '.config');
}

/** The command with which a client starts `centavo mcp`, and its environment. */
export interface ServerEntry {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the configuration with the server `centavo` added or replaced. All other fields are preserved. Pure.
 * @param text the content of the file; undefined if the file does not exist
 * @throws SyntaxError if the text, or the value of `field` in it, is not a JSON object. A blank text and a missing field count
 *   as empty objects
 */
export function addServer(text: string | undefined, field: ClientConfiguration['field'], entry: ServerEntry): string {
  const settings = parseObject(text ?? '{}');
  const servers = parseObject(JSON.stringify(settings[field] ?? {}));
  return `${JSON.stringify({ ...settings, [field]: { ...servers, centavo: entry } }, null, 2)}\n`;
}

/** Returns whether a configuration has a server `centavo`. Pure. @throws SyntaxError as {@link addServer} does */
export function hasServer(text: string, field: ClientConfiguration['field']): boolean {
  return 'centavo' in parseObject(JSON.stringify(parseObject(text)[field] ?? {}));
}

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new SyntaxError('It is not a JSON object.');
  return value as Record<string, unknown>;
}
