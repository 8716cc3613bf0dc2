// Generates docs/conformance.md from the tags in the tests (`conformance/read-tags.mjs`). The page lists the tests of each rule of the
// specification (docs/financial-integration-api.md) and of the contract (docs/contract.md). It fails if
//   - the page is not current and `--write` is absent;
//   - a rule has no test;
//   - a tag does not name exactly one rule, or has no test;
//   - a test that docs/security-claims.md names does not exist.
// It has no dependencies. It writes a file only with `--write`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContract, readSpecification } from './conformance/read-rules.mjs';
import { readTags, withoutComments } from './conformance/read-tags.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pageName = 'docs/conformance.md';
const claimsName = 'docs/security-claims.md';
const mistakes = [];

/** Parts of rules that no test proves, with the reason. */
const openParts = [
  {
    section: 'contract 5',
    words: 'Order of checks',
    part: 'the server takes the same time for an unknown and a revoked secret',
    reason: 'No test bounds wall-clock time. A test proves that the server runs the same SQL statements for both.',
  },
  {
    section: 'contract 8',
    words: 'Secret',
    part: 'the response time reveals nothing',
    reason:
      'No test bounds wall-clock time. A test proves that the server runs the same SQL statements for an unknown and a revoked secret.',
  },
];

const tags = ['packages', 'apps', 'tests']
  .flatMap((folder) => listTests(join(root, folder)))
  .sort()
  .flatMap((path) => readTags({ path, source: read(path) }));
const parts = [
  { heading: 'Specification', sections: readSpecification(read('docs/financial-integration-api.md')) },
  { heading: 'Contract', sections: readContract(read('docs/contract.md')) },
];
const page = renderPage();
checkTags();
checkClaims();
if (process.argv.includes('--write')) writeFileSync(join(root, pageName), page);
else if (read(pageName) !== page) {
  mistakes.push(`${pageName} is not current. Run \`node tools/check-conformance.mjs --write\`.`);
}

if (mistakes.length > 0) {
  process.stderr.write(
    `The tests do not match the rules or the claims:\n${mistakes.map((text) => `  - ${text}\n`).join('')}`,
  );
  process.exitCode = 1;
} else {
  const rules = parts.flatMap(({ sections }) => sections.flatMap(({ names }) => names));
  process.stdout.write(`${pageName}: ${rules.length} rules, each with a test; ${tags.length} tags\n`);
}

function renderPage() {
  const lines = [
    '# Conformance: the tests of each rule',
    '',
    'This page lists every rule of [the specification](financial-integration-api.md) and of sections 1 to 10a of',
    '[the contract](contract.md), with the tests that fail when the rule is broken. `node tools/check-conformance.mjs --write`',
    'generates the page from comments such as `// @proves contract 5: Order of checks` above the tests. `npm test` fails if the',
    'page is not current, or if a rule has no test.',
    '',
    'In addition, the HTTP tests compare every response of the server with the OpenAPI document. Tests that need Redis, Chromium,',
    'curl or openssl are skipped on a machine without them.',
  ];
  for (const { heading, sections } of parts) {
    lines.push('', `## ${heading}`);
    for (const section of sections) lines.push('', `### ${section.title}`, '', ...renderSection(section));
  }
  lines.push('', '## Not proven yet', '');
  for (const { section, words, part, reason } of openParts)
    lines.push(`- ${section}, \`${words}\`: that ${part}. ${reason}`);
  return `${lines.join('\n')}\n`;
}

/** Returns a list item for each rule of a section, with its tests below it. A rule without a test becomes a mistake. */
function renderSection({ section, names }) {
  return names.flatMap((name) => {
    const proofs = tags.filter((tag) => tag.section === section && isOf(name, tag, names));
    if (proofs.length === 0) mistakes.push(`${section}: "${name.slice(0, 60)}" has no test`);
    const titles = proofs.map(
      ({ path, suites, title = '' }) => `  - \`${[path, ...suites, title].join(' › ').replaceAll('`', "'")}\``,
    );
    return [`- \`${opening(name)}\``, ...new Set(titles)];
  });
}

/**
 * Returns whether a tag refers to the rule `name`. A tag refers to the rule that equals the words of the tag. If there is none, it refers
 * to the rules that begin with these words. If there is none of those either, it refers to the rules that contain them.
 */
function isOf(name, { words }, names) {
  if (names.includes(words)) return name === words;
  if (names.some((other) => other.startsWith(words))) return name.startsWith(words);
  return name.includes(words);
}

function checkTags() {
  const sections = parts.flatMap((part) => part.sections);
  for (const tag of tags) {
    const found = sections.find(({ section }) => section === tag.section);
    const rules = (found?.names ?? []).filter((name) => isOf(name, tag, found.names));
    const label = `${tag.path}: "${tag.section}: ${tag.words}"`;
    if (rules.length !== 1) mistakes.push(`${label} names ${rules.length} rules instead of one`);
    if (tag.title === undefined) mistakes.push(`${label} has no test below it`);
  }
}

/** Checks each test in docs/security-claims.md, such as `path/to/file.test.ts › describe › test`: the file must contain the titles. */
function checkClaims() {
  for (const [, path, titles] of read(claimsName).matchAll(/`([^`\s]+) › ([^`]+)`/g)) {
    if (!/\.test\.tsx?$/.test(path)) mistakes.push(`${claimsName}: ${path} is not a test file`);
    else if (!existsSync(join(root, path))) mistakes.push(`${claimsName}: ${path} does not exist`);
    else {
      const text = withoutComments(read(path));
      const missing = titles.split(' › ').find((title) => !text.includes(title));
      if (missing !== undefined) mistakes.push(`${claimsName}: ${path} has no title "${missing}"`);
    }
  }
}

/** Returns the opening words of a rule: at most 80 characters, cut between words. */
function opening(name) {
  const text = name.replaceAll('`', "'");
  return text.length <= 80 ? text : `${text.slice(0, 80).replace(/\s\S*$/, '')} …`;
}

function listTests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : listTests(path);
    return /\.test\.tsx?$/.test(entry.name) ? [relative(root, path).split(sep).join('/')] : [];
  });
}

function read(name) {
  return readFileSync(join(root, name), 'utf8');
}
