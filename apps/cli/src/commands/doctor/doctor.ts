import type { Command } from 'commander';
import { connectWithoutToken } from '../../client/connect.js';
import { type GlobalFlags, requireOutputFormat } from '../../config/settings.js';
import { describeError } from '../../describe-error.js';
import { exitCodes } from '../../exit-codes.js';
import { Printer } from '../../ui/printer.js';
import type { RecordView } from '../../ui/table.js';
import { createContext } from '../shared/context.js';
import { type Cli, describeCommand, untilInterrupted } from '../shared/define.js';
import { type Check, fail, ok } from './check.js';
import { checkCredential } from './check-credential.js';
import { checkNode, checkPermissions, checkTransport } from './check-machine.js';
import { checkProxy } from './check-proxy.js';
import { checkServer } from './check-server.js';

/**
 * `centavo doctor`: checks everything that a command needs. It does not use `defineCommand`, which fails if the settings are
 * invalid.
 */
export function addDoctor(program: Command, cli: Cli): void {
  const command = describeCommand(program, {
    usage: 'doctor',
    summary: 'Check everything that a command needs, and show a remedy for each problem',
    examples: ['centavo doctor', 'centavo doctor -o json --profile work'],
  });
  command.action(async () => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const printer = new Printer(cli.io, {
      format: requireOutputFormat(flags),
      noColor: flags.color === false,
      quiet: flags.quiet === true,
    });
    const checks = await untilInterrupted(checkEverything(cli, flags), cli);
    await printer.printRecords(checks, view);
    const count = (outcome: Check['outcome']) => checks.filter((check) => check.outcome === outcome).length;
    const [failed, warned] = [count('fail'), count('warn')];
    if (failed > 0) printer.note(`${failed} of ${checks.length} checks failed.`);
    else if (warned > 0) printer.note(`No check failed. Checks with a warning: ${warned} of ${checks.length}.`);
    else printer.note('All checks passed.');
    if (failed > 0) cli.exitCode = exitCodes.failure;
  });
}

async function checkEverything({ io }: Cli, flags: GlobalFlags): Promise<readonly Check[]> {
  const node = checkNode(process.version);
  const context = await createContext(io, flags).catch((error: unknown) => error as Error);
  if (context instanceof Error) {
    const [message = '', remedy = '  try: Correct it.'] = describeError(context);
    return [node, fail('settings', message, remedy.replace(/^ *try: /, ''))];
  }
  const { settings, store, profileName } = context;
  const transport = checkTransport(settings.baseUrl);
  const machine = [
    node,
    ok('settings', `profile ${profileName}, server ${settings.baseUrl}`),
    await checkPermissions(store.directory, process.platform),
    transport,
  ];
  // The client rejects this base URL, so no further check is possible.
  if (transport.outcome === 'fail') return machine;
  const proxy = await checkProxy(io.env, settings.baseUrl);
  machine.push(proxy);
  if (proxy.outcome === 'fail') return machine;
  const server = await checkServer(connectWithoutToken(settings, io), () => io.clock.nowMs());
  if (server.some(({ outcome }) => outcome === 'fail')) return [...machine, ...server];
  return [...machine, ...server, ...(await checkCredential(context))];
}

const view: RecordView<Check> = {
  columns: [
    { header: 'CHECK', value: ({ check }) => check },
    { header: 'OUTCOME', value: ({ outcome }) => outcome },
    { header: 'FOUND', value: ({ found }) => found },
    { header: 'REMEDY', value: ({ remedy }) => remedy },
  ],
  fields: ['check', 'outcome', 'found', 'remedy'],
};
