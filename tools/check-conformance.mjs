// Checks docs/conformance.md, which lists the tests of each line of the specification and of the contract. It fails
// when
//   - a test that the document names does not exist: `path/to/file.test.ts › fragment of a title`, literally in that
// file;
//   - a table row or a numbered rule of the specification, or a line of the contract's sections 1 to 10a, is not in the document;
//   - the document has a line that neither of them has;
//   - a line has no test and is not listed under "Not proven yet".
// The tests that docs/security-claims.md names must exist too.
// It has no dependencies and only reads files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documentName = 'docs/conformance.md';
const claimsName = 'docs/security-claims.md';
const lastOfContract = 'Finer points';
const notProven = 'Not proven yet';
const mistakes = [];

const sections = sectionsOf(read(documentName));
const isOf = (part) => (section) => section.part === part;
const listedAsNotProven = cellsIn(sections.filter(({ title }) => title === notProven)).map(([where = '']) => where);
const proven = new Map();

checkReferences(documentName);
checkReferences(claimsName);
checkSpecification();
checkContract();
for (const name of listedAsNotProven) {
  if (!proven.has(name)) mistakes.push(`${notProven}: there is no line "${name}"`);
}

if (mistakes.length > 0) {
  process.stderr.write(
    `docs/conformance.md or docs/security-claims.md is not true:\n${mistakes.map((text) => `  - ${text}\n`).join('')}`,
  );
  process.exitCode = 1;
} else {
  const withTest = [...proven.values()].filter(Boolean).length;
  const open = `${proven.size - withTest} without, ${listedAsNotProven.length} entries under "${notProven}"`;
  process.stdout.write(`${documentName}: ${proven.size} lines, ${withTest} with a test, ${open}\n`);
}

/** Checks that the tests of a document exist. */
function checkReferences(name) {
  for (const [, path, title] of read(name).matchAll(/`([^`\s]+) › ([^`]+)`/g)) {
    if (!/\.test\.tsx?$/.test(path)) mistakes.push(`${name}: ${path} is not a file of tests`);
    else if (!existsSync(join(root, path))) mistakes.push(`${name}: ${path} does not exist`);
    else if (!titlesOf(path).includes(title)) mistakes.push(`${name}: ${path} has no test "${title}"`);
  }
}

/** Compares each section of the specification: table rows by the cells that identify them, rules by their number. */
function checkSpecification() {
  const documented = sections.filter(isOf('Specification'));
  for (const { title, lines } of sectionsOf(read('docs/financial-integration-api.md'))) {
    const keys = [...tablesIn(lines).flatMap(keysOfRows), ...rulesIn(lines)];
    const rows = cellsIn(documented.filter((section) => section.title === title));
    for (const key of keys) {
      if (!rows.some(([first]) => first === key)) mistakes.push(`specification, ${title}: "${key}" is missing`);
    }
    for (const row of rows) {
      if (!keys.includes(row[0])) mistakes.push(`specification, ${title}: there is no "${row[0]}"`);
      checkProof(`${title}: ${row[0]}`, row);
    }
  }
}

/**
 * Compares each section of the contract: rows, points and paragraphs by their first words, which the document quotes
 * literally.
 */
function checkContract() {
  const documented = sections.filter(isOf('Contract'));
  const contract = sectionsOf(read('docs/contract.md'));
  const last = contract.findIndex(({ title }) => title.includes(lastOfContract));
  if (last === -1) mistakes.push(`contract: there is no section "${lastOfContract}"`);
  for (const { title, lines } of contract.slice(1, last + 1)) {
    const entries = entriesIn(lines);
    const rows = cellsIn(documented.filter((section) => section.title === title));
    for (const entry of entries) {
      const isThere = rows.some(([first]) => entry.startsWith(plain(first)));
      if (!isThere) mistakes.push(`contract, ${title}: "${entry.slice(0, 60)}" is missing`);
    }
    for (const row of rows) {
      const isThere = entries.some((entry) => entry.includes(plain(row[0])));
      if (!isThere) mistakes.push(`contract, ${title}: there is no "${row[0]}"`);
      checkProof(`${title}: ${row[0]}`, row);
    }
  }
}

/** Checks that a line has a test or is listed as not proven. */
function checkProof(name, [, proof = '']) {
  if (proven.has(name)) mistakes.push(`${name} is listed twice`);
  proven.set(name, proof.includes('.test.ts › '));
  if (!proven.get(name) && !listedAsNotProven.includes(name)) {
    mistakes.push(`${name}: no test, and not under "${notProven}"`);
  }
}

/**
 * Returns the sections of a Markdown text, one for each heading; `part` is the heading of the second level above it.
 */
function sectionsOf(text) {
  const found = [];
  let part = '';
  for (const line of text.split('\n')) {
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading === null) {
      found.at(-1)?.lines.push(line);
      continue;
    }
    if (heading[1] === '##') part = heading[2];
    found.push({ part, title: heading[2], lines: [] });
  }
  return found;
}

/** Returns the tables of a section as rows of cells, without heads. */
function tablesIn(lines) {
  const tables = [];
  let isInside = false;
  for (const line of lines) {
    const isRow = line.startsWith('|');
    if (isRow && !isInside) tables.push([]);
    if (isRow) tables.at(-1).push(cellsOf(line));
    isInside = isRow;
  }
  return tables.map((rows) => rows.slice(2));
}

/** Returns the rows of the document. A row without a first cell continues the row above it. */
function cellsIn(found) {
  const rows = [];
  for (const cells of found.flatMap(({ lines }) => tablesIn(lines).flat())) {
    if (cells[0] !== '' || rows.length === 0) rows.push(cells);
    else rows.push([...rows.pop(), ...cells.slice(1)]);
  }
  return rows;
}

function cellsOf(line) {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Returns the keys of the rows: the fewest leading cells that identify them. */
function keysOfRows(rows) {
  for (let count = 1; ; count += 1) {
    const keys = rows.map((cells) => cells.slice(0, count).join(' · '));
    if (new Set(keys).size === keys.length || count > (rows[0]?.length ?? 0)) return keys;
  }
}

function rulesIn(lines) {
  return lines.flatMap((line) => {
    const number = /^(\d+)\. /.exec(line)?.[1];
    return number === undefined ? [] : [`rule ${number}`];
  });
}

/**
 * Returns table rows (their first cell), points and paragraphs, without Markdown. A text that ends with a colon is an
 * introduction and is omitted.
 */
function entriesIn(lines) {
  const texts = [];
  let isOpen = false;
  for (const line of lines.filter((_, index) => !isHeadOfTable(lines, index))) {
    const point = /^\s*(?:-|\d+\.) (.*)$/.exec(line)?.[1];
    const isRow = line.startsWith('|');
    if (isRow) texts.push(cellsOf(line)[0]);
    else if (point !== undefined) texts.push(point);
    else if (line.trim() === '') isOpen = false;
    else if (isOpen) texts.push(`${texts.pop()} ${line.trim()}`);
    else texts.push(line.trim());
    if (line.trim() !== '') isOpen = !isRow;
  }
  return texts.map(plain).filter((text) => !text.endsWith(':'));
}

function isHeadOfTable(lines, index) {
  const isRule = (line) => /^\|[-|\s:]+$/.test(line ?? '');
  return isRule(lines[index]) || (lines[index].startsWith('|') && isRule(lines[index + 1]));
}

function plain(text) {
  return text.replace(/[`*]/g, '').replace(/\\\|/g, '|').replace(/\s+/g, ' ').trim();
}

/** Returns a test file without its comments, so that a title in a comment does not count. */
function titlesOf(path) {
  return read(path).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}

function read(name) {
  return readFileSync(join(root, name), 'utf8');
}
