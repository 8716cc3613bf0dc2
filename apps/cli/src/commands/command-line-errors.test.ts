import { beforeEach, expect, it } from 'vitest';
import { createMachine, type TestMachine } from '../../test-support/run-in-test.js';

const secret = 'centavo_live_00000000000000000000000000000000000000000002wCZeW';
let machine: TestMachine;

beforeEach(async () => {
  machine = await createMachine();
});

it.each([
  ['movements show', "Missing required argument 'id'.", '"centavo movements show --help" lists the flags'],
  [
    'movements add --amount 1',
    "Required option '--type <type>' not specified: expense or income.",
    '"centavo movements add --help"',
  ],
  [
    'members add eva@example.com',
    "Required option '--role <role>' not specified: one of viewer, editor, admin, owner.",
    '"centavo members add --help"',
  ],
  ['balances --nope', "Unknown option '--nope'.", '"centavo balances --help"'],
  ['balances --tracer x', "Unknown option '--tracer'.", 'Did you mean --tracker? "centavo balances --help"'],
  ['balnces', "Unknown command 'balnces'.", 'Did you mean balances? "centavo --help"'],
  ['accounts list more', "Too many arguments for 'list'. Expected 0 arguments but got 1.", '"centavo accounts list'],
  ['movements list --account', "Option '--account <account>' argument missing.", '"centavo movements list --help"'],
  ['completion tcsh', "Command-argument value 'tcsh' is invalid for argument 'shell'.", '"centavo completion --help"'],
])(
  '"centavo %s" exits 2, and prints one line for the error and one line for the remedy',
  async (line, sentence, remedy) => {
    const { code, stdout, stderr } = await machine.run(line);
    const [first, second, ...others] = stderr.trimEnd().split('\n');
    expect({ code, stdout, others }).toEqual({ code: 2, stdout: '', others: [] });
    expect(first).toContain(`centavo: ${sentence}`);
    expect(second).toContain(`  try: ${remedy}`);
  },
);

it.each([
  'login --password=hunter22hunter22',
  `balances --token=${secret}`,
  `balances --base-url ${secret}`,
  `movements list --limit ${secret}`,
])('"centavo %s" exits 2, and does not print the secret from the command line', async (line) => {
  const { code, stdout, stderr } = await machine.run(line);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toMatch(/hunter|wCZeW/);
});

it('centavo exits 2 and prints the help to stderr if the command line names no command, or only a group such as "movements"', async () => {
  for (const line of [['movements'], []]) {
    const { code, stdout, stderr } = await machine.run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: centavo');
  }
});
