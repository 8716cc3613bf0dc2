import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createMcpServer } from '@centavo/mcp';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Io } from '../../io.js';
import { cliVersion } from '../../version.js';
import type { CommandContext } from '../shared/context.js';
import { requireTrackerId } from '../shared/resolve-id.js';
import type { McpFlags } from './install.js';
import { SdkExecutor } from './sdk-executor.js';

/** Serves one MCP client until the client closes standard input. Only MCP messages are written to standard output. */
export async function runServer({ io, settings, connection }: CommandContext, flags: McpFlags): Promise<void> {
  const { client } = connection;
  const trackerId = settings.tracker === undefined ? undefined : await requireTrackerId(client, settings.tracker);
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
