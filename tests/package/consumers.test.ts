import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { repository } from '../acceptance/support/repository.js';
import { manifestIn, packageNames } from './support/packages.js';
import { runToEnd } from './support/run-to-end.js';

const { consumer } = inject('packages');

/** The program of a user. The expected type errors show that the types exist and are not `any`. */
const program = `
import { openApiDocument } from '@centavo/contracts/openapi';
import { calls } from '@centavo/contracts/calls';
import { type CreateMovementInput, routes } from '@centavo/contracts';
import { FinancialClient, isVersionConflictError, type Movement } from '@centavo/sdk';
import { fileSource, type StatementSource, type StatementTransaction } from '@centavo/statement-reader';

export async function record(client: FinancialClient, input: CreateMovementInput): Promise<string | null> {
  const movement: Movement = await client.movements.create(input);
  for await (const row of client.movements.list({ from: '2026-01-01' })) row.amountDecimal.padStart(10);
  // @ts-expect-error An amount is never a number.
  await client.movements.create({ ...input, amountDecimal: 12.5 });
  // @ts-expect-error A correction needs the ETag of the version that it changes.
  await client.movements.correct(movement.id, { amountDecimal: '13.00' });
  return client.movements.get(movement.id).withResponse().then(
    ({ etag }) => etag,
    (error: unknown) => (isVersionConflictError(error) ? error.currentEtag : null),
  );
}

export const source: StatementSource = fileSource('statement.csv');
// @ts-expect-error An amount is never a number.
export const read: Pick<StatementTransaction, 'amountDecimal'> = { amountDecimal: 12.5 };
export const method: 'POST' = calls.createMovement.method;
export const movement: Movement['id'] = routes.getMovement.data.parse({}).id;
export const title: '3.1.1' = openApiDocument({ serverUrl: '/', version: '1' }).openapi;
`;

/** The tests of that program. */
const testOfProgram = `
import type { Movement } from '@centavo/sdk';
import { aMovement, FakeCentavo, signWebhook } from '@centavo/sdk/testing';
import { verifyWebhook } from '@centavo/sdk/webhooks';

export const amount: Movement['amountDecimal'] = aMovement().amountDecimal;
// @ts-expect-error An amount is never a number.
export const wrong: number = aMovement().amountDecimal;
export const fake = new FakeCentavo();

export async function receive(body: string, secret: string): Promise<string> {
  // @ts-expect-error A parsed body has lost the signed bytes.
  verifyWebhook({ body: { type: 'movement.created' }, headers: {}, secret });
  const { data } = await verifyWebhook({ body, headers: await signWebhook({ body, secret }), secret });
  return data.id;
}
`;

beforeAll(() => {
  for (const extension of ['mts', 'cts']) {
    writeFileSync(join(consumer, `program.${extension}`), program);
    writeFileSync(join(consumer, `test-of-program.${extension}`), testOfProgram);
  }
});

const inBothSystems = ['program.mts', 'program.cts', 'test-of-program.mts', 'test-of-program.cts'];

// With skipLibCheck false the compiler checks all declarations. This takes most of the time, so only one case has this setting. That
// case omits the test program, because the declarations of msw have errors.
test.each([
  { resolution: 'node16', module: 'node16', skipLibCheck: 'true', files: inBothSystems },
  { resolution: 'nodenext', module: 'nodenext', skipLibCheck: 'true', files: inBothSystems },
  { resolution: 'bundler', module: 'esnext', skipLibCheck: 'true', files: ['test-of-program.mts'] },
  { resolution: 'bundler', module: 'esnext', skipLibCheck: 'false', files: ['program.mts'] },
])(
  'strict TypeScript programs that import the packages compile with moduleResolution $resolution, skipLibCheck $skipLibCheck',
  async (how) => {
    const tsc = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const modules = ['--module', how.module, '--moduleResolution', how.resolution, '--skipLibCheck', how.skipLibCheck];
    await runToEnd({ words: [tsc, ...options, ...modules, ...how.files], cwd: consumer });
  },
);

const entryPoints = packageNames.flatMap((name) =>
  Object.keys(manifestIn(join(consumer, 'node_modules', name)).exports).map((path) => `${name}${path.slice(1)}`),
);

test.each(entryPoints)('%s has the same exports for import and require', async (entryPoint) => {
  const { imported, required } = await evaluate<{ imported: string[]; required: string[] }>(consumer, {
    imported: `Object.entries(await import('${entryPoint}')).map(([name, value]) => name + ': ' + typeof value).sort()`,
    required: `Object.entries(require('${entryPoint}')).map(([name, value]) => name + ': ' + typeof value).sort()`,
  });
  expect(imported.length).toBeGreaterThan(0);
  expect(required).toEqual(imported);
});

test('isUsageError of the ES module recognizes a UsageError of the CommonJS module, and vice versa', async () => {
  const required = `require('@centavo/sdk')`;
  const imported = `(await import('@centavo/sdk'))`;
  const found = await evaluate<Record<string, boolean>>(consumer, {
    areTwoCopies: `${required}.UsageError !== ${imported}.UsageError`,
    importRecognizesRequire: `${imported}.isUsageError(new (${required}.UsageError)('x'))`,
    requireRecognizesImport: `${required}.isUsageError(new (${imported}.UsageError)('x'))`,
    otherGuardReturnsFalse: `!${required}.isTimeoutError(new (${imported}.UsageError)('x'))`,
  });
  expect(found).toEqual({
    areTwoCopies: true,
    importRecognizesRequire: true,
    requireRecognizesImport: true,
    otherGuardReturnsFalse: true,
  });
});

test('the client loads without zod and msw', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'centavo-alone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of packageNames) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    cpSync(join(consumer, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
  const found = await evaluate<Record<string, string>>(folder, {
    imported: `typeof (await import('@centavo/sdk')).FinancialClient`,
    required: `typeof require('@centavo/sdk').FinancialClient`,
    contracts: `await import('@centavo/contracts').catch((error) => error.code)`,
  });
  expect(found).toEqual({ imported: 'function', required: 'function', contracts: 'ERR_MODULE_NOT_FOUND' });
});

/** Evaluates expressions in a new Node process that runs in a folder. The expressions may use `await` and `require`. */
async function evaluate<Result>(folder: string, expressions: Readonly<Record<string, string>>): Promise<Result> {
  const properties = Object.entries(expressions).map(([name, expression]) => `${name}: ${expression}`);
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(join(folder, 'package.json'))});
    console.log(JSON.stringify({ ${properties.join(', ')} }));
  `;
  const { stdout } = await runToEnd({ words: ['--input-type=module', '--eval', script], cwd: folder });
  return JSON.parse(stdout) as Result;
}
