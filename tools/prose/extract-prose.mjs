// Extracts the comments and messages of a source file as Markdown, so that textlint can check them.
import ts from 'typescript';

/**
 * @typedef {object} Prose
 * @property {string} text Markdown
 * @property {number[]} lines for each line of `text`, its line number in the file, from 1
 */

/**
 * Returns the comments of a file in TypeScript or JavaScript.
 * @param {string} source
 * @returns {Prose}
 */
export function extractComments(source) {
  const { file, lineAt } = parse(source);
  const ranges = new Map();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) ranges.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  const comments = [...ranges.values()].sort((one, other) => one.pos - other.pos);
  return toProse(comments.map(({ pos, end }) => ({ text: source.slice(pos, end), line: lineAt(pos) })));
}

/**
 * Returns the string literals of a file that have at least four words, such as messages, help texts and test titles.
 * Omits SQL statements and tagged templates.
 * @param {string} source
 * @returns {Prose}
 */
export function extractMessages(source) {
  const { file, lineAt } = parse(source);
  const messages = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node)) return;
    const text = textOfLiteral(node);
    if (text !== undefined && isProse(text)) messages.push({ text, line: lineAt(node.getStart(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return toProse(messages);
}

/**
 * Returns the comments of a file in SQL.
 * @param {string} source
 * @returns {Prose}
 */
export function extractSqlComments(source) {
  const comments = source.split('\n').map((line, at) => ({ text: /^\s*(--.*)/.exec(line)?.[1] ?? '', line: at + 1 }));
  return toProse(comments);
}

function parse(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  return { file, lineAt: (position) => file.getLineAndCharacterOfPosition(position).line + 1 };
}

function textOfLiteral(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

function isProse(text) {
  const isSql = /^\s*(?:alter|begin|commit|create|delete|drop|grant|insert|lock|revoke|select|set|update|with)\s/i.test(
    text,
  );
  return !isSql && (text.match(/(?<=^|\s)[A-Za-z][a-z']*(?=$|[\s.,:;?!])/g) ?? []).length >= 4;
}

/** Joins comments on successive lines into one paragraph. A message, a gap, or a tag such as `@param` starts a new paragraph. */
function toProse(parts) {
  const prose = { text: [], lines: [] };
  const add = (text, line) => {
    prose.text.push(text);
    prose.lines.push(line);
  };
  let last = 0;
  for (const { text, line } of parts) {
    const isComment = /^(?:\/\/|\/\*|--)/.test(text);
    if (!isComment || line !== last + 1) add('', line);
    for (const [at, raw] of text.split('\n').entries()) {
      const plain = isComment ? raw.replace(/^\s*(?:\/\/+|\/\*+|\*+\/|\*+|--+)\s?/, '').replace(/\s*\*\/$/, '') : raw;
      if (/^\s*@/.test(plain)) add('', line + at);
      add(plain.trim(), line + at);
      last = line + at;
    }
  }
  return { text: prose.text.join('\n'), lines: prose.lines };
}
