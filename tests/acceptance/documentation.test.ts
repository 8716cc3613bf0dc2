import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';

/** A command on a page, with the lines that the page shows below it. */
interface DocumentedCommand {
  readonly text: string;
  readonly output: readonly string[];
}

const sandbox = openSandbox();
const readmeCommands = await readCommands('README.md');
const tutorialCommands = await readCommands('docs/tutorial.md');
let server: Server;
let shell: ChildProcessWithoutNullStreams;
/** The secret of an authenticator app that the last `totp enrol` printed. */
let lastSecret = '';

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env: { DEMO: 'on' } });
  const home = dirname(await sandbox.writeFile('empty', ''));
  shell = spawn('bash', ['--norc'], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: home,
      CENTAVO_SECRET_STORE: 'file',
      LANG: 'C.UTF-8',
      CENTAVO_BASE_URL: server.baseUrl,
      CENTAVO_TOKEN: tokenOfDemo(),
    },
  });
  shell.stdin.write('exec 2>&1\n');
});

afterAll(() => shell.kill());

describe('the README', () => {
  const [start, ...commands] = readmeCommands.filter(({ text }) => !text.startsWith('post'));

  it('shows the output of the first run of `DEMO=on npm start`', () => {
    expect(start?.text).toBe('DEMO=on npm start');
    expect(linesNotFound(start?.output ?? [], server.output)).toEqual([]);
  });

  it.each(commands)('has a command that succeeds and prints the documented output: $text', runDocumented);
});

describe('the tutorial', () => {
  it.each(tutorialCommands)('has a command that succeeds and prints the documented output: $text', runDocumented);
});

// Runs last, because the tutorial does not expect the movement that this example records. Sets CENTAVO_TOKEN to the demo key again,
// because the tutorial unsets this variable.
describe('the first example of the README', () => {
  beforeAll(async () => {
    await run(`export CENTAVO_TOKEN=${tokenOfDemo()}`);
  });

  it.each(readmeCommands.filter(({ text }) => text.startsWith('post')))(
    'has a command that succeeds and prints the documented output: $text',
    runDocumented,
  );
});

function tokenOfDemo(): string {
  return /CENTAVO_TOKEN=(\S+)/.exec(server.output)?.[1] ?? '';
}

/** Runs a command and checks its output. Replaces the documented one-time code by a code of the printed secret. */
async function runDocumented({ text, output }: DocumentedCommand): Promise<void> {
  const code = lastSecret === '' ? '' : await generate({ secret: lastSecret });
  const printed = await run(text.replace(/--code \d{6}/, `--code ${code}`));
  lastSecret = /^SECRET +(\S+)$/m.exec(printed.output)?.[1] ?? lastSecret;
  expect(printed).toMatchObject({ exitCode: 0 });
  const missing = linesNotFound(output, printed.output);
  expect(missing, printed.output).toEqual([]);
}

/** Runs a command in the shell that all tests here share. Returns its exit code, and its stdout and stderr as one text. */
async function run(command: string): Promise<{ readonly exitCode: number; readonly output: string }> {
  const end = `end-${randomUUID()}`;
  return await new Promise((resolve) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const [whole, exitCode] = new RegExp(`${end} (\\d+)\\n`).exec(printed) ?? [];
      if (whole === undefined) return;
      shell.stdout.off('data', read);
      resolve({ exitCode: Number(exitCode), output: printed.replace(whole, '') });
    };
    shell.stdout.on('data', read);
    shell.stdin.write(`${command}\necho "${end} $?"\n`);
  });
}

/** Returns the commands of a page: those after a `$` in `console` blocks, and each line with `centavo` in `sh` blocks. */
async function readCommands(page: string): Promise<readonly DocumentedCommand[]> {
  const text = await readFile(join(repository, page), 'utf8');
  return [...text.matchAll(/^```(console|sh)\n(.*?)^```$/gms)].flatMap(([, language, block = '']) => {
    const lines = block.trimEnd().split('\n');
    if (language === 'console') return transcriptOf(lines);
    return lines.filter((line) => line.includes('centavo')).map((line) => ({ text: line, output: [] }));
  });
}

function transcriptOf(lines: readonly string[]): DocumentedCommand[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
    else if (last !== undefined && isIncomplete(last.text)) last.text += `\n${line}`;
    else last?.output.push(line);
  }
  return commands;
}

/** Returns whether the next line of a page continues this command, as after `\` or `|` or within a shell function. */
function isIncomplete(command: string): boolean {
  return /[\\|]$/.test(command) || (command.includes('() {\n') && !command.endsWith('\n}')) || command.endsWith('() {');
}

/** Returns the documented lines that are missing in the output. The output must have the lines in the documented order. */
function linesNotFound(documented: readonly string[], printed: string): string[] {
  const lines = printed.split('\n');
  let next = 0;
  return documented.filter((line) => {
    const found = lines.findIndex((candidate, index) => index >= next && patternOf(line).test(candidate));
    if (found !== -1) next = found + 1;
    return found === -1;
  });
}

/** Returns a pattern for a documented line: `…` matches any text, and an id, ETag or time matches any value of its kind. */
function patternOf(line: string): RegExp {
  const literal = line
    .trimEnd()
    .replaceAll('http://127.0.0.1:8080', server.origin)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = literal
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '[0-9a-f-]{36}')
    .replace(/"[\w-]{22}\\*"/g, '"[\\w-]{22}\\\\?"')
    .replace(/\b20\d\d-\d\d-\d\dT[\d:]+\\\.\d+Z/g, '\\S+')
    .replace(/…/g, '.*')
    .replace(/ +/g, ' +');
  return new RegExp(`^${pattern}\\s*$`);
}
