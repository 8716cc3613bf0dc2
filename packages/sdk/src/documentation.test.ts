import { routes } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { docExamples, documentedDeclarations, examplePrograms, readmeBlocks } from '../test-support/documented-code.js';
import { exampleServer, type FirstFailure } from '../test-support/example-server.js';
import { runExample } from '../test-support/run-example.js';
import { typeCheck } from '../test-support/type-check.js';
import * as sdk from './index.js';
import * as testing from './testing/index.js';
import * as webhooks from './webhooks/index.js';

const examples = docExamples();
const readme = readmeBlocks();
const programs = examplePrograms();

/** How the first request fails in the example of each error class; undefined if the example needs no failed request. */
const failures: Readonly<Record<string, FirstFailure | undefined>> = {
  FinancialError: 'refused',
  FinancialApiError: 'NOT_FOUND',
  ValidationError: 'VALIDATION_ERROR',
  AuthenticationError: 'CREDENTIAL_EXPIRED',
  StepUpRequiredError: 'STEP_UP_REQUIRED',
  PermissionError: 'INSUFFICIENT_SCOPE',
  NotFoundError: 'NOT_FOUND',
  VersionConflictError: 'VERSION_CONFLICT',
  IdempotencyConflictError: 'IDEMPOTENCY_KEY_REUSED',
  StateConflictError: 'STATE_CONFLICT',
  CursorDivergedError: 'cursor_diverged',
  CursorExpiredError: 'cursor_expired',
  RateLimitError: 'RATE_LIMITED',
  ServerError: 'SERVICE_UNAVAILABLE',
  ConnectionError: 'refused',
  MalformedAnswerError: 'not-json',
  RedirectRefusedError: 'redirect',
  TimeoutError: 'silent',
  OutcomeUnknownError: 'lost',
  UsageError: undefined,
  InvalidSecretError: undefined,
  AuditChainError: undefined,
  WebhookVerificationError: undefined,
};

afterEach(() => {
  vi.unstubAllGlobals();
});

test('every example of the docstrings, the README and the examples folder compiles', { timeout: 120_000 }, () => {
  expect([examples.length, readme.length, programs.length].every((count) => count > 0)).toBe(true);
  expect(typeCheck([...examples, ...readme, ...programs])).toEqual([]);
});

test('every public class, method and function has an example, except error guards, then, catch, finally and toJSON', () => {
  const isPublic = ({ name, isExported }: { readonly name: string; readonly isExported: boolean }) => {
    const owner = name.split('.')[0] ?? '';
    return isExported && (owner in sdk || owner in testing || owner in webhooks || owner.endsWith('Resource'));
  };
  // The example of an error class also shows its guard. JavaScript defines `then`, `catch`, `finally` and `toJSON`.
  const documentedElsewhere = /^is\w+Error$|\.(then|catch|finally|toJSON)$/;
  const declarations = documentedDeclarations().filter(
    (declaration) => isPublic(declaration) && !documentedElsewhere.test(declaration.name),
  );
  // The overloads of a method share one example.
  const shown = new Set(declarations.filter(({ examples }) => examples.length > 0).map(({ name }) => name));
  const withoutExample = declarations.map(({ name }) => name).filter((name) => !shown.has(name));
  expect(withoutExample).toEqual([]);
});

describe('with the example server', () => {
  test.each(examples.filter(({ name }) => !(name in failures)))('the example of $name completes', async ({ text }) => {
    vi.stubGlobal('fetch', exampleServer());
    await runExample(text);
  });

  test.each(readme)('$name completes, and prints the output that its comments show', async ({ text }) => {
    vi.stubGlobal('fetch', exampleServer());
    const printed = await runExample(text);
    const expectedLines = [...text.matchAll(/console\.log\(.*\); \/\/ ("?)([^",\n]+)\1/g)].map((line) => line[2]);
    expect(printed).toEqual(expect.arrayContaining(expectedLines));
  });

  test.each(examples.filter(({ name }) => name in failures))(
    'the example of $name catches its error, and prints a line',
    async ({ name, text }) => {
      vi.stubGlobal('fetch', exampleServer(failures[name]));
      expect(await runExample(text, { first: failures[name] })).not.toEqual([]);
    },
  );
});

test.each(Object.keys(calls) as (keyof typeof calls)[])(
  'the example server responds to %s with the status that the contract defines, and with data that matches the schema',
  async (name) => {
    const { call, data } = routes[name];
    const path = `${call.base}${call.path.replace(/\{\w+\}/g, 'x')}`;
    const answer = await exampleServer()(`http://127.0.0.1${path}`, { method: call.method });
    expect(answer.status).toBe(call.status);
    if (data !== null) data.parse((await answer.json()).data);
  },
);
