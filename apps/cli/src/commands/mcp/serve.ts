import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { confirmModes, createMcpServer } from '@centavo/mcp';
import { type Command, Option } from 'commander';
import type { Io } from '../../io.js';
import { cliVersion } from '../../version.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireTrackerId } from '../shared/resolve-id.js';
import { addMcpInstall, type McpFlags } from './install.js';
import { SdkExecutor } from './sdk-executor.js';

export function addMcp(program: Command, cli: Cli): void {
  const mcp = defineCommand<McpFlags>(program, cli, {
    usage: 'mcp',
    summary: 'Serve tools for agents over standard input and output (Model Context Protocol)',
    examples: ['centavo mcp', 'centavo mcp --write --tracker Household', 'centavo mcp --write --confirm text'],
    options: (command) =>
      command
        .option('--write', 'also offer the tools that record, correct and void')
        .addOption(
          new Option(
            '--confirm <mode>',
            'how writes are confirmed. elicit: the client prompts the user. text: the agent calls the tool again. auto: elicit if the client can prompt, otherwise text. none: no confirmation',
          )
            .choices(confirmModes)
            .default('auto'),
        ),
    act: (context, flags) => serve(context, flags),
  });
  addMcpInstall(mcp, cli);
}

/** Serves one client until it closes standard input. Only the protocol writes to standard output. */
async function serve({ io, settings, connection }: CommandContext, flags: McpFlags): Promise<void> {
  const { client } = connection;
  const trackerId = settings.tracker === undefined ? undefined : await requireTrackerId(client, settings.tracker);
  // The package is loaded here, because no other command needs it.
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const input = Readable.from(io.stdin);
  const options = {
    executor: new SdkExecutor(client, trackerId),
    writes: flags.write === true,
    trackerId,
    confirmMode: flags.confirm,
    version: cliVersion,
  };
  const server = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(input, outputOf(io)),
  });
  await finished(input, { writable: false }).catch(() => {});
  await server.close();
}

function outputOf({ stdout }: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      stdout.write(String(chunk));
      done();
    },
  });
}
