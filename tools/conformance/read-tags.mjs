// The tags by which tests name the rules that they prove. A tag is a comment above a test, or above a row in the
// table of an `it.each`:
//
//   // @proves contract 5: Order of checks
//   // @proves spec, Transfer request fields: toAccountId
//
// A tag names the section, and some words of the rule. A tag that ends with ` › words` may be anywhere in the file: it belongs to
// the test whose title contains these words.

const tagPattern = /^\s*\/\/ @proves ((?:contract \w+|spec, [^:]+)): (.*?)(?: › (.*))?$/;

/**
 * Returns the tags of a test file, each with the title of its test. `suites` are the titles of the suites around the
 * test, the outermost first.
 * @param {{ path: string, source: string }} file
 * @returns {{ path: string, section: string, words: string, suites: string[], title: string | undefined }[]}
 */
export function readTags({ path, source }) {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const [, section, words, title] = tagPattern.exec(line) ?? [];
    if (section === undefined) return [];
    // The line of the tag, or the line that contains the words after ` › `.
    const at = title === undefined ? index : lines.findIndex((text) => isCode(text) && text.includes(title));
    const wordsOfTitle = at === -1 ? undefined : title;
    const { suites, pattern } = at === -1 ? { suites: [] } : titlesAround(lines, at);
    const below = titleBelow(lines, title === undefined ? index : at - 1);
    const ownTitle = title === undefined || below?.includes(title) ? below : wordsOfTitle;
    // Inside a table, the string below the tag names a row. The name replaces the first placeholder in the title of the test.
    const isRow = ownTitle !== undefined && pattern !== undefined && pattern !== ownTitle;
    const fullTitle = isRow ? pattern.replace(/%[sj]|\$\w+/, () => ownTitle) : ownTitle;
    return [
      {
        path,
        section,
        words,
        suites: suites.map(withoutPlaceholders),
        title: fullTitle && withoutPlaceholders(fullTitle),
      },
    ];
  });
}

/**
 * Returns a title with `…` for each placeholder of a table row. Parts such as `${count}` are removed, because their values depend on
 * the machine.
 */
function withoutPlaceholders(title) {
  return title.replace(/\$\{.*\}/, '').replace(/%[sjiod]|\$\w+/g, '…');
}

/**
 * Returns the titles of the suites around a line. `pattern` is the title of the test whose table contains the line; it is undefined
 * outside a table. The function relies on the formatter, which indents the content of a suite or table more than its first line.
 */
function titlesAround(lines, index) {
  const suites = [];
  let pattern;
  let column = indentOf(lines[index]);
  for (let above = index - 1; above >= 0 && column > 0; above -= 1) {
    const line = lines[above];
    if (!isCode(line) || line.trim() === '' || indentOf(line) >= column) continue;
    column = indentOf(line);
    if (/^\s*(?:it|test)\S*\.each\(\[$/.test(line)) pattern = titleOfTable(lines, above);
    else suites.unshift(...titleOfSuite(lines, above));
  }
  return { suites, pattern };
}

/**
 * Returns a list with the title of a suite if the line begins the suite, or ends the table of its `describe.each`. The list is empty
 * for other lines, and for a title that is only a placeholder, such as `%s`.
 */
function titleOfSuite(lines, index) {
  const isEndOfTable = /^\s*\](?: as const)?\)\(/.test(lines[index]);
  const begin = isEndOfTable ? lines.findLastIndex((line, at) => at < index && isBeginOf(lines[index], line)) : index;
  const isSuite = /^\s*describe\b/.test(lines[begin] ?? '');
  const title = isSuite ? titleBelow(lines, index - 1) : undefined;
  return title === undefined || /^(?:%[sj]|\$\w+)$/.test(title) ? [] : [title];
}

/** Returns the title below the table that begins on the line `index`. */
function titleOfTable(lines, index) {
  const end = lines.findIndex(
    (line, at) => at > index && line.trim() !== '' && indentOf(line) === indentOf(lines[index]),
  );
  return end === -1 ? undefined : titleBelow(lines, end - 1);
}

/** Returns whether a line is indented like `end`, the last line of a table. The nearest such line above `end` begins the table. */
function isBeginOf(end, line) {
  return line.trim() !== '' && indentOf(line) === indentOf(end);
}

function indentOf(line) {
  return line.length - line.trimStart().length;
}

function isCode(line) {
  return !/^\s*(?:\/\/|\*|\/\*)/.test(line);
}

/**
 * Returns the title of the test or suite below a line: the first string in the next three lines, not counting comments. If the first of
 * these lines is blank or a closing bracket, there is no test, and the result is undefined.
 */
export function titleBelow(lines, index) {
  const below = lines.slice(index + 1).filter((line) => !/^\s*\/\//.test(line));
  // Removes a table on the first line, because its strings are not the title.
  const code = below.map((line, at) => (at === 0 ? line.replace(/\.each\(\[.*?\](?: as const)?\)/, '') : line));
  if (/^\s*(?:[)\]}][^(]*)?$/.test(code[0] ?? '')) return undefined;
  const [, , text] = /(['"`])((?:\\.|(?!\1).)*)\1/.exec(code.slice(0, 3).join('\n')) ?? [];
  return text?.replace(/\\(['"`])/g, '$1');
}

/** Returns a source without its comments, so that a title in a comment does not count. */
export function withoutComments(source) {
  return source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}
