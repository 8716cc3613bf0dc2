/** One statement of a file, and where it begins there. */
export interface FileStatement {
  readonly sql: string;
  /** In characters, from the beginning of the file. */
  readonly offset: number;
}

// What a semicolon does not end: comments, texts, quoted names, and bodies between dollar signs.
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/**
 * Splits SQL into its statements, each with what stands before it. Pure. PostgreSQL would take all at once, but Citus repeats
 * the text that it was sent on other machines, and that has to be one statement.
 */
export function splitStatements(sql: string): FileStatement[] {
  const statements: FileStatement[] = [];
  let offset = 0;
  let says = false;
  for (const { 0: text, index } of sql.matchAll(token)) {
    if (text === ';') {
      if (says) statements.push({ sql: sql.slice(offset, index), offset });
      offset = index + 1;
      says = false;
    } else if (!/^(?:--|\/\*)/.test(text) && text.trim() !== '') {
      says = true;
    }
  }
  return says ? [...statements, { sql: sql.slice(offset), offset }] : statements;
}
