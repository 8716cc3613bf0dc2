import { expect, it } from 'vitest';
import { applyExceptions, findInProse } from '../../../tools/check-prose.mjs';

const long = `${'word '.repeat(36)}ends.`;

async function findingsIn(path: string, source: string) {
  const findings = await findInProse({ path, source });
  return findings.map(({ line, rule, message }) => [line, rule, /“([^”]+)”/.exec(message)?.[1]]);
}

it('the prose check reports a discouraged word in a document with its line, and ignores code', async () => {
  expect(await findingsIn('a.md', '# Title\n\nThe user\nis told.\n\n`told`\n')).toEqual([[4, 'word', 'told']]);
});

it('the prose check finds a phrase across a line break', async () => {
  expect(await findingsIn('a.md', 'Requests take\nturns.\n')).toEqual([[1, 'word', 'take\nturns']]);
});

it('the prose check accepts the ordinary senses of a discouraged word', async () => {
  const text =
    'The results cannot be told apart. A round trip reads a line of the table. What does it cost? Nothing.\n';
  expect(await findingsIn('a.md', text)).toEqual([]);
});

it('the prose check reports a sentence whose subject is a clause', async () => {
  const findings = await findingsIn('a.md', 'It ends. What acts in no tracker is allowed.\n');
  expect(findings).toEqual([[1, 'word', 'What acts in no tracker is allowed.']]);
});

it('the prose check reports a sentence of more than 35 words across lines, and accepts 35 words', async () => {
  expect(await findingsIn('a.md', `${long.replaceAll('word word', 'word\nword')}\n`)).toMatchObject([
    [1, 'sentence', 'word word word word word word …'],
  ]);
  expect(await findingsIn('a.md', `${'word '.repeat(34)}ends. Another one.\n`)).toEqual([]);
  expect(await findingsIn('a.md', `${'word '.repeat(30)}takes 10 ms. Another sentence follows it here.\n`)).toEqual([]);
});

it('the prose check reads comments and messages of a source file, but neither its identifiers nor its SQL', async () => {
  const source = [
    'const told = 1; // Nobody reads this.',
    '/**',
    ' * Returns a name.',
    ' * @param twin is told here',
    ' */',
    `export const message = \`The server tells $\{told} to the client.\`;`,
    "export const sql = 'select told from told where told is not null';",
  ].join('\n');
  expect(await findingsIn('a.ts', source)).toEqual([
    [1, 'word', 'Nobody'],
    [4, 'word', 'twin'],
    [4, 'word', 'told'],
    [6, 'word', 'tells'],
  ]);
  expect(await findingsIn('a.sql', "-- Somebody waits.\nselect 'told';\n")).toEqual([[1, 'word', 'Somebody']]);
});

it('applyExceptions removes the findings that an exception names, and returns the exceptions that match no finding', async () => {
  const findings = await findInProse({ path: 'a.md', source: 'Remarks of a bank. The user is told.\n' });
  const used = { path: 'a.md', word: 'remarks', reason: 'a header' };
  const unused = { path: 'b.md', word: 'told', reason: 'a quotation' };
  const result = applyExceptions(findings, [used, unused]);
  expect(result.findings).toMatchObject([{ path: 'a.md', line: 1, message: expect.stringContaining('“told”') }]);
  expect(result.unused).toEqual([unused]);
});
