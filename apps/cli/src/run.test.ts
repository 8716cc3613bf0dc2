import { formatNames } from '@centavo/statement-reader';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, tracker, trackerId } from '../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../test-support/run-in-test.js';
import { groupTexts } from './commands/group-texts.js';
import { composeProgram } from './run.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('the CLI', () => {
  it('exits 2 for an invalid command line, and prints only to stderr', async () => {
    for (const args of ['nope', 'movements', 'movements add', 'movements list --limit many', 'balances -o xml']) {
      const { code, stdout, stderr } = await machine.run(args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).not.toBe('');
    }
  });

  it('exits 2 and suggests the correct command or flag for a typing error', async () => {
    for (const [args, meant] of [
      ['balance', 'balances'],
      ['movements lst', 'list'],
      ['balances --tracer x', '--tracker'],
    ] as const) {
      const { code, stderr } = await machine.run(args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain(`Did you mean ${meant}?`);
    }
  });

  it('prints the version to stdout with --version, and the help with --help', async () => {
    expect(await machine.run('--version')).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    const help = (await machine.run('import --help')).stdout;
    for (const expected of ['--create-accounts', ...formatNames]) expect(help).toContain(expected);
  });

  it('shows an example in the help of every command', () => {
    const program = composeProgram({ io: { stdout: {}, stderr: {} } as never, exitCode: 0 });
    const leaves = (command: Command): Command[] => {
      const visible = command
        .createHelp()
        .visibleCommands(command)
        .filter((one) => one.name() !== 'help');
      return visible.length === 0 ? [command] : visible.flatMap(leaves);
    };
    for (const command of leaves(program)) {
      let help = '';
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect(help).toMatch(/Examples:\n {2}\$ centavo /);
    }
  });
});

describe('the help of a command group', () => {
  it('has a description of two sentences, and only examples of its own commands', async () => {
    for (const { name, description, examples } of Object.values(groupTexts)) {
      const help = (await machine.run(`${name} --help`)).stdout;
      expect([name, description.match(/[.](?= |$)/g)?.length]).toEqual([name, 2]);
      expect(help).toContain(['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n'));
      for (const example of examples) expect(example).toMatch(new RegExp(`^centavo ${name} [a-z]`));
    }
  });
});

describe('a list command', () => {
  it('prints records as JSON, as JSON lines, as CSV with a header of their fields, and by default as a table', async () => {
    const account = api.addAccount({ name: 'Checking' });
    expect(JSON.parse((await machine.run('accounts list -o json')).stdout)).toEqual([account]);
    expect(JSON.parse((await machine.run('accounts list -o jsonl')).stdout)).toEqual(account);
    expect((await machine.run('accounts list -o csv')).stdout.split('\r\n')[0]).toBe(
      'id,trackerId,name,type,currencyCode,status,eligibleCashboxCount,createdAt,updatedAt',
    );
    expect((await machine.run('accounts list')).stdout).toMatch(/^NAME .*\nChecking +checking +USD/);
  });

  it('prints an empty array with -o json when there are no records', async () => {
    expect(await machine.run('accounts list -o json')).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it('reads all pages of movements with --all, and reports further pages without --all', async () => {
    api.addAccount({ name: 'Checking' });
    for (let count = 0; count < 5; count += 1) {
      await machine.run(`movements add --type expense --amount ${count + 1} --account Checking`);
    }
    const all = await machine.run('movements list --all --limit 2 -o jsonl');
    expect(all.stdout.trim().split('\n')).toHaveLength(5);
    const page = await machine.run('movements list --limit 2 -o json');
    expect(JSON.parse(page.stdout)).toHaveLength(2);
    expect(page.stderr).toContain('--all');
    expect((await machine.run('movements list --limit 2 -o json --quiet')).stderr).toBe('');
  });
});

describe('a name instead of an id on the command line', () => {
  it('is accepted in upper and lower case', async () => {
    const account = api.addAccount({ name: 'Checking' });
    api.addCategory({ id: 'cat_food', name: 'Food' });
    const run = await machine.run('movements add --type expense --amount 12.50 --account checking --category FOOD');
    expect(run.code).toBe(0);
    expect(api.movements[0]).toMatchObject({
      accountId: account.id,
      categoryId: 'cat_food',
      amountDecimal: '12.50',
    });
  });

  it('is rejected with exit code 2 if several records have it, and the error lists their ids', async () => {
    const [one, other] = [api.addAccount({ name: 'Card' }), api.addAccount({ name: 'Card' })];
    const { code, stderr } = await machine.run('movements add --type expense --amount 1 --account Card');
    expect(code).toBe(2);
    expect(stderr).toContain(String(one.id));
    expect(stderr).toContain(String(other.id));
    expect(api.writes).toEqual([]);
  });

  it('is rejected with exit code 5 if no record has it, and the error lists the existing names', async () => {
    api.addAccount({ name: 'Checking' });
    const { code, stderr } = await machine.run('movements add --type expense --amount 1 --account Nope');
    expect(code).toBe(5);
    expect(stderr).toContain('Checking');
  });

  it('selects a tracker in --tracker and in `trackers use`', async () => {
    const cabin = tracker({ id: '0199c5a0-0000-7000-8000-000000000002', name: 'Cabin' });
    api.trackers.push(cabin);
    const header = () => api.requests.at(-1)?.headers.get('x-service-tracker-id');
    await machine.run('balances --tracker cabin');
    expect(header()).toBe(cabin.id);
    await machine.run('balances', { env: { CENTAVO_TRACKER: trackerId } });
    expect(header()).toBe(trackerId);
    expect(await machine.run('trackers use Cabin')).toMatchObject({ code: 0, stdout: '' });
    await machine.run('balances');
    expect(header()).toBe(cabin.id);
  });
});

describe('a user without a tracker', () => {
  it('is shown the command `centavo trackers create` by `trackers list` and `balances`', async () => {
    api.trackers.length = 0;
    expect((await machine.run('trackers list')).stderr).toContain('centavo trackers create');
    expect((await machine.run('balances --tracker Household')).stderr).toContain('centavo trackers create');
    api.fault = () => refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [] } });
    const { code, stderr } = await machine.run('balances');
    expect(code).toBe(4);
    expect(stderr).toContain('centavo trackers create NAME');
    api.trackers.push(tracker({ id: trackerId, name: 'Household' }));
  });
});

describe('the commands for movements', () => {
  it('fit a list into 80 columns, and print the ETag of a movement in a table but not in JSON', async () => {
    api.addAccount({ name: 'Checking' });
    const add = ['movements', 'add', '--type', 'expense', '--amount', '1.00', '--account', 'Checking'];
    await machine.run([...add, '--description', 'A description that is far too long for eighty columns of a terminal']);
    const { stdout, stderr } = await machine.run('movements list', { isTerminal: true, columns: 80 });
    for (const line of stdout.trim().split('\n')) expect(line.length).toBeLessThanOrEqual(80 + 9);
    expect(stderr).toContain('-o json');
    const id = String(api.movements[0]?.id);
    expect((await machine.run(`movements show ${id}`)).stdout).toMatch(/ETAG +"1"/);
    expect((await machine.run(`movements show ${id} -o json`)).stdout).not.toMatch(/etag/i);
    expect((await machine.run(`movements show ${id}`)).stdout).not.toContain('TRANSFER');
  });

  it('print the transfer id of a movement that is a leg of a transfer', async () => {
    api.addAccount({ name: 'Checking' });
    api.addAccount({ name: 'Savings' });
    await machine.run('transfers add --amount 5 --from-account Checking --to-account Savings');
    const groupId = String(api.movements[0]?.transferGroupId);
    const { stdout } = await machine.run(`movements show ${api.movements[0]?.id}`);
    expect(stdout).toMatch(new RegExp(`^TRANSFER +${groupId}$`, 'm'));
  });
});
