import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTransfer } from '@centavo/sdk/testing';
import { HttpResponse, http } from 'msw';
import { exampleFiles, examplePassword } from './example-files.js';
import { FakeApi, success, tracker, trackerId } from './fake-api.js';
import { createMachine, type Outcome, type TestMachine } from './run-in-test.js';
import { parseShellLine } from './shell-line.js';

/** The profiles of a machine that has logged in, and their tokens. */
interface LoggedIn {
  readonly configHome: string;
  readonly accessTokens: readonly string[];
  readonly refreshTokens: readonly string[];
}

/**
 * The data that the examples in the help use: accounts, categories, keys, ids and files. With this data, each example runs
 * unchanged. A new example may need new data here.
 */
export class ExampleWorld {
  readonly api = new FakeApi();
  #folder = '';
  #loggedIn: LoggedIn | undefined;

  /** Resets the data. Writes the files only at the first call, because no example changes a file. */
  async begin(): Promise<void> {
    const { api } = this;
    api.reset();
    api.hasBulk = true;
    api.server.resetHandlers();
    api.server.use(
      http.all('https://money.example.com/*', forwardToTheFake),
      http.post('http://127.0.0.1:3000/webhooks', () => new HttpResponse(null, { status: 204 })),
    );
    seed(api);
    if (this.#folder === '') this.#folder = await writeExampleFiles();
  }

  /**
   * Creates a machine with the profiles `default` and `work`, both logged in. Only the first machine logs in; later
   * machines copy its profiles.
   */
  async createMachine(): Promise<TestMachine> {
    this.#loggedIn ??= await this.#logIn();
    const { configHome, accessTokens, refreshTokens } = this.#loggedIn;
    for (const token of accessTokens) this.api.accessTokens.add(token);
    for (const token of refreshTokens) this.api.refreshTokens.add(token);
    const machine = await createMachine();
    cpSync(configHome, machine.configHome, { recursive: true });
    return machine;
  }

  async #logIn(): Promise<LoggedIn> {
    const machine = await createMachine();
    for (const profile of ['default', 'work']) {
      const flags = `--email ana@example.com --password-stdin --profile ${profile}`;
      const { code: exitCode, stderr } = await machine.run(`login ${flags}`, { stdin: examplePassword });
      if (exitCode !== 0) throw new Error(`The login of the examples failed with ${exitCode}: ${stderr}`);
    }
    const { accessTokens, refreshTokens } = this.api;
    return { configHome: machine.configHome, accessTokens: [...accessTokens], refreshTokens: [...refreshTokens] };
  }

  /** Runs one example on a terminal, and answers every question. */
  async run(example: string, machine?: TestMachine): Promise<Outcome> {
    const { words, stdinPath } = parseShellLine(example);
    const usedMachine = machine ?? (await this.createMachine());
    // Simulates Ctrl-C when the example has read all changes, because commands that wait for new changes, such as `listen`,
    // end only at Ctrl-C.
    this.api.changes.onIdle = () => usedMachine.interruption.abort();
    return usedMachine.run(
      words.slice(1).map((word) => (word in exampleFiles ? join(this.#folder, word) : word)),
      { stdin: stdinPath === undefined ? '' : (exampleFiles[stdinPath] ?? `There is no file ${stdinPath}`), answer },
    );
  }
}

async function writeExampleFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-examples-'));
  for (const [name, content] of Object.entries(exampleFiles)) await writeFile(join(folder, name), content);
  return folder;
}

function answer(question: string): string {
  if (/e-mail/i.test(question)) return 'ana@example.com';
  if (/password/i.test(question)) return examplePassword;
  return '123456';
}

const exampleId = '0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11';

function seed(api: FakeApi): void {
  const { records } = api;
  const [checking] = ['Checking', 'Savings', 'Card', 'Platinum Card', 'Old card'].map((name) =>
    api.addAccount({ name }),
  );
  for (const [name, kind] of Object.entries({ Groceries: 'expense', 'Eating out': 'expense', Salary: 'income' })) {
    api.addCategory({ id: `cat_${name.toLowerCase().replace(' ', '_')}`, name, kind });
  }
  for (const name of ['Savings jar', 'Holidays']) {
    const cashbox = records.addCashbox({ accountId: checking?.id, name });
    const names = { accountId: checking?.id, accountName: 'Checking', cashboxId: cashbox.id, cashboxName: name };
    records.addBalance({ ...names, balanceDecimal: '100.00' });
  }
  records.addMember({ email: 'luis@example.com', role: 'editor' });
  records.addInvitation({ trackerName: 'Beach house' });
  records.addKey({ name: 'import', secretLast4: 'x7Qa' });
  records.addClient({ name: 'assistant', secretLast4: 'x7Qa' });
  api.changes.add();
  api.webhooks.add({ secretLast4: 'x7Qa' });
  api.webhooks.addDelivery({ id: exampleId });
  records.addBudget({ name: 'May at home', periodStart: '2026-05-01', periodEnd: '2026-05-31' });
  addMovement(api, { id: exampleId, accountId: checking?.id });
  records.transfers.push({ ...aTransfer({ groupId: exampleId }) });
  api.fault = ({ url, body }) => {
    if (url.pathname.endsWith('/trackers') && 'currencyCode' in body) {
      return success(tracker({ id: randomUUID(), ...body }), { status: 201 });
    }
    if (url.pathname.endsWith('/totp')) {
      return success({ secret: 'JBSWY3DPEHPK3PXP', otpauthUri: 'otpauth://totp/Centavo' }, { status: 201 });
    }
    const isConfirmed = url.pathname.endsWith('/totp/confirm');
    return isConfirmed ? success({ accessToken: 'stepped-up', expiresAt: '2026-01-01T12:15:00.000Z' }) : undefined;
  };
}

function addMovement(api: FakeApi, fields: Record<string, unknown>): void {
  api.movements.push({
    trackerId,
    kind: 'regular',
    type: 'expense',
    amountDecimal: '12.50',
    currencyCode: 'USD',
    cashboxId: randomUUID(),
    categoryId: 'cat_groceries',
    occurredOn: '2026-01-01',
    description: null,
    merchantName: 'Market',
    transferGroupId: null,
    source: { type: 'user', id: randomUUID() },
    version: 3,
    // The examples of --if-match use this ETag.
    etag: '"Zhwb3UGIILGSEkMKOJmBJX"',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  });
}

/** Forwards a request to the fake API. The request is addressed to `money.example.com`, the server in some examples. */
async function forwardToTheFake({ request }: { request: Request }): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return fetch(`http://127.0.0.1:8080${pathname}${search}`, {
    method: request.method,
    headers: request.headers,
    ...(body !== '' && { body }),
  });
}
