// Checks the language of documentation, comments, messages and test titles with textlint: words that
// `prose/words.mjs` discourages, and long sentences in Markdown. `--list [path]` prints all findings, and `--folders` prints the
// numbers of findings in each folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import { extractComments, extractMessages, extractSqlComments } from './prose/extract-prose.mjs';
import { sentenceLength } from './prose/sentence-length.mjs';
import { discouragedWords, sentenceWordsMax } from './prose/words.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ignoredFolders = new Set(['.git', '.turbo', 'coverage', 'dist', 'node_modules', 'etc', 'prose']);
const kernel = new TextlintKernel();
/** The limits for discouraged words in 1,000 lines, and for long sentences in the documentation. */
const limits = { wordsPerThousandLines: 4, longSentencesInDocs: 25 };

/**
 * Returns the findings in a file, in the order of its lines.
 * @param {{ path: string, source: string }} file with its path relative to the root
 */
export async function findInProse({ path, source }) {
  const findings = [];
  for (const { text, lines } of extract(path, source)) {
    const isDoc = path.endsWith('.md');
    const { messages } = await kernel.lintText(text, {
      ext: '.md',
      plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
      rules: [
        { ruleId: 'word', rule: terminology, options: { defaultTerms: false, terms: discouragedWords } },
        ...(isDoc ? [{ ruleId: 'sentence', rule: sentenceLength, options: { max: sentenceWordsMax } }] : []),
      ],
    });
    for (const { ruleId, message, line } of messages)
      findings.push({ path, line: lines?.[line - 1] ?? line, rule: ruleId, message });
  }
  return findings.sort((one, other) => one.line - other.line);
}

/**
 * Returns the findings without those that an exception allows. `unused` are the exceptions that match no finding.
 * An exception names a file, a word that the message of the finding quotes, and a reason.
 */
export function applyExceptions(findings, exceptions) {
  const allows = (exception) => (finding) =>
    finding.path === exception.path && finding.message.toLowerCase().includes(`“${exception.word.toLowerCase()}”`);
  return {
    findings: findings.filter((finding) => !exceptions.some((exception) => allows(exception)(finding))),
    unused: exceptions.filter((exception) => !findings.some(allows(exception))),
  };
}

function extract(path, source) {
  if (path.endsWith('.md')) return [{ text: source }];
  if (path.endsWith('.sql')) return [extractSqlComments(source)];
  return [extractComments(source), extractMessages(source)];
}

/** Returns the paths of all Markdown, source and SQL files below a folder. */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (ignoredFolders.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /(?<!\.d)\.(?:md|ts|mjs|cjs|js|sql)$/.test(entry.name) ? [relative(root, path).split(sep).join('/')] : [];
  });
}

/**
 * Returns the numbers of lines, discouraged words and long sentences for each folder. A folder below the second level counts as part
 * of its ancestor on the second level.
 */
function countByFolder(files, findings) {
  const folders = new Map();
  const rowOf = (path) => {
    const name = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    if (!folders.has(name)) folders.set(name, { lines: 0, words: 0, sentences: 0 });
    return folders.get(name);
  };
  for (const { path, source } of files) rowOf(path).lines += source.split('\n').length;
  for (const { path, rule } of findings) rowOf(path)[rule === 'word' ? 'words' : 'sentences'] += 1;
  return [...folders].map(([name, row]) => ({ name, ...row, perThousand: perThousand(row.words, row.lines) }));
}

function perThousand(count, lines) {
  return Number(((count * 1000) / lines).toFixed(1));
}

async function main([option, prefix = '']) {
  const exceptions = JSON.parse(readFileSync(join(root, 'tools/prose/exceptions.json'), 'utf8'));
  const excluded = new Set(exceptions.files.map(({ path }) => path));
  const files = listFiles(root)
    .filter((path) => !excluded.has(path))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
  const all = [];
  for (const file of files) all.push(...(await findInProse(file)));
  const { findings, unused } = applyExceptions(all, exceptions.words);
  const longInDocs = findings.filter(({ rule }) => rule === 'sentence');
  const words = findings.filter(({ rule }) => rule === 'word');
  const lines = files.reduce((sum, { source }) => sum + source.split('\n').length, 0);
  if (option === '--list')
    for (const { path, line, message } of findings.filter((finding) => finding.path.startsWith(prefix)))
      console.log(`${path}:${line} ${message}`);
  if (option === '--folders') console.table(countByFolder(files, findings));
  const rate = perThousand(words.length, lines);
  console.log(
    `${words.length} discouraged words in ${lines} lines (${rate} in 1,000; at most ${limits.wordsPerThousandLines}); ` +
      `${longInDocs.length} sentences of the documentation have more than ${sentenceWordsMax} words (at most ${limits.longSentencesInDocs}).`,
  );
  for (const { path, word } of unused)
    console.error(`Remove the exception for “${word}” in ${path}: the file does not contain it.`);
  const isFine = rate <= limits.wordsPerThousandLines && longInDocs.length <= limits.longSentencesInDocs;
  if (longInDocs.length > limits.longSentencesInDocs) {
    for (const { path, line, message } of longInDocs) console.error(`${path}:${line} ${message}`);
    console.error('Split the sentences that you wrote.');
  }
  if (!isFine) console.error('Run `node tools/check-prose.mjs --list` to see all findings.');
  process.exitCode = isFine && unused.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
