// docs/conformance.md says which test proves which line of the specification and of the contract. Such a document goes stale without a
// sound: a test is renamed, a row is added to a table, and the promise stands there unproven. This file makes both loud. It fails when
//   - a test that the document names does not exist: `path/to/file.test.ts › fragment of a title`, to be found literally in that file;
//   - a table row or a numbered rule of the specification, or a line of the contract's sections 1 to 10a, is not in the document;
//   - the document has a line that neither of them has (any more);
//   - a line has no test and is not listed under "Not proven yet" either.
// The tests that SECURITY.md names for its claims have to be there as well.
// It has no dependencies and only reads files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documentName = 'docs/conformance.md';
const claimsName = 'SECURITY.md';
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
  process.stderr.write(`What is promised is not true any more:\n${mistakes.map((text) => `  - ${text}\n`).join('')}`);
  process.exitCode = 1;
} else {
  const withTest = [...proven.values()].filter(Boolean).length;
  const open = `${proven.size - withTest} without, ${listedAsNotProven.length} entries under "${notProven}"`;
  process.stdout.write(`${documentName}: ${proven.size} lines, ${withTest} with a test, ${open}\n`);
}

/** Every test that a document names is there. */
function checkReferences(name) {
  for (const [, path, title] of read(name).matchAll(/`([^`\s]+) › ([^`]+)`/g)) {
    if (!/\.test\.tsx?$/.test(path)) mistakes.push(`${name}: ${path} is not a file of tests`);
    else if (!existsSync(join(root, path))) mistakes.push(`${name}: ${path} does not exist`);
    else if (!titlesOf(path).includes(title)) mistakes.push(`${name}: ${path} has no test "${title}"`);
  }
}

/** Table rows by the cells that make them unique in their table, numbered rules by their number; section by section. */
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

/** Rows, points and paragraphs, each by its opening words; what the document quotes has to be there to the letter. */
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

/** A line has a test, or it is owned up to. */
function checkProof(name, [, proof = '']) {
  if (proven.has(name)) mistakes.push(`${name} stands twice`);
  proven.set(name, proof.includes('.test.ts › '));
  if (!proven.get(name) && !listedAsNotProven.includes(name)) {
    mistakes.push(`${name}: no test, and not under "${notProven}"`);
  }
}

/** The sections of a Markdown text, by any heading; `part` is the heading of the second level above or at it. */
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

/** The tables of a section, each as rows of cells, without its head. */
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

/** The rows of the document: one without a first cell goes on with the row above it. */
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

/** As few leading cells as tell the rows of a table apart. */
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

/** Table rows (their first cell), points and paragraphs, without Markdown; what ends in a colon only introduces the next. */
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

/** A file of tests without its comments: a title that stands in a comment proves nothing. */
function titlesOf(path) {
  return read(path).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}

function read(name) {
  return readFileSync(join(root, name), 'utf8');
}
