// Reads the rules of the specification and of the contract from their Markdown.

/**
 * Returns the rules of the specification. A table row is named by its first cells: as many as are needed to distinguish the
 * rows of its table. A numbered rule has a name such as `rule 3`.
 * @param {string} text docs/financial-integration-api.md
 * @returns {{ section: string, title: string, names: string[] }[]}
 */
export function readSpecification(text) {
  return sectionsOf(text).flatMap(({ title, lines }) => {
    const names = [...tablesIn(lines).flatMap(keysOfRows), ...rulesIn(lines)].map(plain);
    const section = title.replace(/ *\([^)]*\)/g, '');
    return names.length === 0 ? [] : [{ section: `spec, ${section}`, title, names }];
  });
}

/**
 * Returns the rules of the contract up to and including its section "Finer points": table rows, list items and paragraphs.
 * @param {string} text docs/contract.md
 */
export function readContract(text) {
  const sections = sectionsOf(text);
  const last = sections.findIndex(({ title }) => title.includes('Finer points'));
  if (last === -1) throw new Error('docs/contract.md has no section "Finer points".');
  return sections.slice(1, last + 1).map(({ title, lines }) => ({
    section: `contract ${/^\w+/.exec(title)?.[0]}`,
    title,
    names: entriesIn(lines),
  }));
}

/** Returns the sections of a Markdown text, one for each heading. */
function sectionsOf(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const title = /^#+ (.*)$/.exec(line)?.[1];
    if (title === undefined) found.at(-1)?.lines.push(line);
    else found.push({ title, lines: [] });
  }
  return found;
}

/** Returns the tables of a section as rows of cells, without their header rows. */
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

function cellsOf(line) {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Returns a key for each row: its first cells. All keys have the same number of cells: the smallest number that makes the keys unique. */
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
 * Returns the list items, the paragraphs and the first cell of each table row, as plain text. Omits texts that end with a
 * colon, because they only introduce the texts below them.
 */
function entriesIn(lines) {
  const texts = [];
  // Whether the next line can continue the last text.
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

/** Returns whether a line is the header row of a table, or the separator row below it. */
function isHeadOfTable(lines, index) {
  const isSeparator = (line) => /^\|[-|\s:]+$/.test(line ?? '');
  return isSeparator(lines[index]) || (lines[index].startsWith('|') && isSeparator(lines[index + 1]));
}

function plain(text) {
  return text.replace(/[`*]/g, '').replace(/\\\|/g, '|').replace(/\s+/g, ' ').trim();
}
