import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type HttpMethod, isNotFoundError, type Query, type RawRequest } from '@centavo/sdk';
import { type Command, Option } from 'commander';
import { UsageError, withAdvice } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { collect, type WriteFlags } from '../shared/flags.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWrite } from '../shared/write.js';
import { printAllPages, printResponse } from './print-response.js';
import { readBody, readFields } from './read-fields.js';

interface ApiFlags extends WriteFlags {
  readonly rawField: readonly string[];
  readonly field: readonly string[];
  readonly inputFile?: string;
  readonly include?: boolean;
  readonly paginate?: boolean;
  readonly ifMatch?: string;
  readonly code?: string;
}

/**
 * `centavo api`: sends any request by method and path. Handles idempotency keys, retries and errors as other commands do.
 */
export function addApi(program: Command, cli: Cli): void {
  defineCommand<ApiFlags>(program, cli, {
    usage: 'api <method> <path>',
    summary: 'Send any request of the API, and print the response as JSON',
    examples: [
      'centavo api GET /context',
      'centavo api GET /movements -f limit=100 --paginate -o jsonl',
      'centavo api POST /accounts -f name=Cash -f type=cash -f currencyCode=EUR',
      'centavo api POST /movements --input movement.json --idempotency-key 2026-01-rent',
      `centavo api PATCH /movements/0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 -f description=Rent --if-match '"Zhwb3UGIILGSEkMKOJmBJX"'`,
      'centavo api GET /v1/identity/me --include',
    ],
    writes: 'withIdempotencyKey',
    options: (command) =>
      command
        .option(
          '-f, --raw-field <key=value>',
          'a string field of the body, or a query parameter of a GET; repeatable',
          collect,
          [],
        )
        .option('-F, --field <key=value>', 'a JSON field: true, null, 3, ["a"]; never an amount', collect, [])
        .addOption(inputOption())
        .option('-i, --include', 'print the status and the headers before the body')
        .option('--paginate', 'print the records of all pages as one list')
        .option('--if-match <etag>', 'change the record only if it has this version')
        .option('--code <digits>', 'one-time code, if the server requires one'),
    act: callApi,
  });
}

/**
 * Returns the option `--input`. commander stores the global --no-input as `input`, so this option is stored under
 * another name.
 */
function inputOption(): Option {
  const option = new Option('--input <file>', 'a file with the JSON body; - is standard input');
  option.attributeName = () => 'inputFile';
  return option;
}

async function callApi(
  context: CommandContext,
  flags: ApiFlags,
  [methodText = '', path = '']: readonly string[],
): Promise<void> {
  const { printer } = context;
  if (printer.format === 'csv')
    throw new UsageError(
      'This command cannot print CSV, because each response has different columns.',
      'Use -o json or jsonl.',
    );
  const request = await readRequest(context, flags, { method: requireMethod(methodText), path });
  const client = await context.clientInTracker();
  if (flags.paginate === true) {
    if (request.method !== 'GET' || flags.include === true) {
      throw new UsageError('--paginate is for lists of records.', 'Use it with GET, and without --include.');
    }
    await withAdvice(printAllPages(printer, client, request), adviseOnPath);
    return;
  }
  const send = (idempotencyKey?: string) =>
    withAdvice(
      withStepUp(context, flags.code, () => client.request({ ...request, idempotencyKey }).withResponse()),
      adviseOnPath,
    );
  const response =
    request.method === 'GET'
      ? await send()
      : await sendWrite(context, flags, {
          call: `${request.method} ${request.path}`,
          body: request.body as object,
          send,
        });
  if (response !== undefined) await printResponse(printer, response, { includesHeaders: flags.include === true });
}

/** Returns the remedy for a 404: the id or the path may be wrong. Returns undefined for other errors. */
function adviseOnPath(error: unknown) {
  return isNotFoundError(error)
    ? { remedy: 'Check the path, its id and --tracker. "centavo api GET /openapi.json" lists all paths.' }
    : undefined;
}

async function readRequest(
  { io }: CommandContext,
  flags: ApiFlags,
  { method, path }: { method: HttpMethod; path: string },
): Promise<RawRequest> {
  const fields = readFields(flags.rawField, flags.field);
  const hasFields = Object.keys(fields).length > 0;
  if (flags.inputFile !== undefined && (hasFields || method === 'GET')) {
    throw new UsageError('--input is the complete body.', 'Use it without -f and -F, and not with GET.');
  }
  if (path.includes('://')) throw new UsageError('The path is a URL.', 'Leave out the server; --base-url sets it.');
  const [pathOnly = '', query = ''] = path.split(/\?(.*)/s);
  const queryOfPath = Object.fromEntries(new URLSearchParams(query));
  const body = flags.inputFile === undefined ? fields : readBody(await readText(flags.inputFile, io.stdin));
  return {
    method,
    path: pathOnly.startsWith('/') ? pathOnly : `/${pathOnly}`,
    query: method === 'GET' ? { ...queryOfPath, ...(fields as Query) } : queryOfPath,
    // A write without fields and without --input has no body, because some operations reject a body.
    ...(method !== 'GET' && (hasFields || flags.inputFile !== undefined) && { body }),
    etag: flags.ifMatch,
  };
}

const methods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function requireMethod(text: string): HttpMethod {
  const method = methods.find((name) => name === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`"${text}" is not a method.`, `Use one of ${methods.join(', ')}.`);
}

async function readText(path: string, stdin: CommandContext['io']['stdin']): Promise<string> {
  if (path === '-') return text(stdin);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`, 'Check the path and its permissions.');
  });
}
