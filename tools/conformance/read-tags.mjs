// The tags by which tests name the rules that they prove. A tag is a comment above a test, or above a row of its list:
//
//   // @proves contract 5: Order of checks
//   // @proves spec, Transfer request fields: toAccountId
//
// It names the section, and the first words or other words of the rule. A tag that ends with ` › title` names the title of the
// test, which may be anywhere in the file.

const tagPattern = /^\s*\/\/ @proves ((?:contract \w+|spec, [^:]+)): (.*?)(?: › (.*))?$/;

/**
 * Returns the tags of a test file, each with the title that follows it.
 * @param {{ path: string, source: string }} file
 * @returns {{ path: string, section: string, words: string, title: string | undefined }[]}
 */
export function readTags({ path, source }) {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const [, section, words, title] = tagPattern.exec(line) ?? [];
    if (section === undefined) return [];
    const named = title !== undefined && withoutComments(source).includes(title) ? title : undefined;
    return [{ path, section, words, title: title === undefined ? titleBelow(lines, index) : named }];
  });
}

/**
 * Returns the first string in the three lines of code that directly follow a tag and the comments below it. A tag above a blank line
 * or a closing bracket has no title, because its test was removed.
 */
export function titleBelow(lines, index) {
  const code = lines.slice(index + 1).filter((line) => !/^\s*\/\//.test(line));
  if (/^\s*(?:[)\]}][^(]*)?$/.test(code[0] ?? '')) return undefined;
  const [, , text] = /(['"`])((?:\\.|(?!\1).)*)\1/.exec(code.slice(0, 3).join('\n')) ?? [];
  return text?.replace(/\\(['"`])/g, '$1');
}

/** Returns a source without its comments, so that a title in a comment does not count. */
export function withoutComments(source) {
  return source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}
