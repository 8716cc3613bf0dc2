import type { ConfirmMode } from '@centavo/mcp';
import { type Command, Option } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { addMcpInstall, type McpFlags } from './install.js';

export function addMcp(program: Command, cli: Cli): void {
  const mcp = defineCommand<McpFlags>(program, cli, {
    usage: 'mcp',
    summary: 'Serve tools for agents over standard input and output (Model Context Protocol)',
    examples: ['centavo mcp', 'centavo mcp --write --tracker Household', 'centavo mcp --write --confirm text'],
    options: (command) =>
      command
        .option('--write', 'also offer the tools that write, such as record_movement')
        .addOption(
          new Option(
            '--confirm <mode>',
            'how writes are confirmed. elicit: the client prompts the user. text: the agent calls the tool again to confirm. auto: elicit if the client can prompt, otherwise text. none: no confirmation',
          )
            .choices(['auto', 'elicit', 'text', 'none'] satisfies ConfirmMode[])
            .default('auto'),
        ),
    // The module is loaded only when this command runs, because no other command needs the tools and the protocol.
    act: async (context, flags) => (await import('./run-server.js')).runServer(context, flags),
  });
  addMcpInstall(mcp, cli);
}
