import * as crypto from 'node:crypto';
import * as events from 'node:events';
import * as nodeHttp from 'node:http';
import * as mswNode from 'msw/node';
import ts from 'typescript';
import * as sdk from '../src/index.js';
import * as testing from '../src/testing/index.js';
import * as webhooks from '../src/webhooks/index.js';
import { exampleServer, type FirstFailure } from './example-server.js';

const id = testing.anId();

/** The values of names that examples use without a declaration, such as `accountId`. `type-check.ts` declares their types. */
const globals = {
  accountId: id,
  budgetId: id,
  cashboxId: id,
  categoryId: 'cat_unknown',
  clientId: id,
  fromAccountId: id,
  toAccountId: testing.anId(),
  groupId: id,
  movementId: id,
  trackerId: testing.sharedTrackerId,
  userId: testing.sharedUserId,
  webhookId: id,
  deliveryId: testing.anId(),
  email: 'ana@example.com',
  password: 'correct horse battery',
  refreshToken: 'a-refresh-token',
};

const modules: Readonly<Record<string, unknown>> = {
  '@centavo/sdk': sdk,
  '@centavo/sdk/testing': testing,
  '@centavo/sdk/webhooks': webhooks,
  'msw/node': mswNode,
  'node:crypto': crypto,
  'node:events': events,
  'node:http': nodeHttp,
  // Timers fire at once, so that examples do not wait.
  'node:timers/promises': { setTimeout: async () => {} },
};

const AsyncFunction = (async () => {}).constructor as new (
  ...parametersAndBody: string[]
) => (...values: unknown[]) => Promise<unknown>;

/**
 * Runs an example with a client of the example server.
 * @param how.first the failure of the first request, for examples that handle an error
 * @param how.argv the arguments of the command line
 * @param how.env environment variables in addition to `CENTAVO_TOKEN`
 * @param how.onSignal receives the signal handler that the example registers; a test calls the handler to simulate Ctrl-C
 * @returns the printed lines
 */
export async function runExample(
  text: string,
  how: {
    readonly first?: FirstFailure | undefined;
    readonly argv?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly onSignal?: (interrupt: () => void) => void;
  } = {},
): Promise<readonly string[]> {
  const { first, argv = [], env = {}, onSignal = () => {} } = how;
  const printed: string[] = [];
  const print = (...values: unknown[]) => printed.push(values.map(String).join(' '));
  const given: Readonly<Record<string, unknown>> = {
    ...globals,
    client: new sdk.FinancialClient({ token: testing.aSecret(), fetch: exampleServer(first), maxRetries: 0 }),
    console: { log: print, error: print, table: print },
    process: {
      env: { CENTAVO_TOKEN: testing.aSecret(), ...env },
      argv: ['node', 'example.mjs', ...argv],
      once: (_signal: string, interrupt: () => void) => onSignal(interrupt),
    },
    require: (name: string) => {
      if (modules[name] === undefined) throw new Error(`An example imports ${name}; add it to run-example.ts`);
      return modules[name];
    },
    exports: {},
  };
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  // Runs the example in a block, so that the example may declare names that are also in `given`.
  await new AsyncFunction(...Object.keys(given), `{${outputText}\n}`)(...Object.values(given));
  return printed;
}
