/** One command of a shell line. Only the shell syntax that the examples in the help use is supported. */
export interface ShellCommand {
  readonly words: readonly string[];
  /**
   * The file after `<`. If another command is piped into this one, the last word of that command, such as `export.zip` in
   * `unzip -p export.zip | centavo import -`.
   */
  readonly stdinPath: string | undefined;
}

/**
 * Returns the command `centavo` of a shell line: its words without quotes, and the file on its standard input. The line may
 * contain other commands. The file after `>` is ignored.
 * @throws Error for a quote that is not closed
 */
export function parseShellLine(line: string): ShellCommand {
  const commands = parsePipeline(line);
  const index = Math.max(
    0,
    commands.findIndex(({ words }) => words[0] === 'centavo'),
  );
  const { words = [], stdinPath } = commands[index] ?? {};
  return { words, stdinPath: stdinPath ?? commands[index - 1]?.words.at(-1) };
}

function parsePipeline(line: string): readonly ShellCommand[] {
  const tokens = [...line.matchAll(/\s*(?:([<>|])|((?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"<>|])+)|(.))/gs)];
  const commands: { words: string[]; stdinPath: string | undefined }[] = [{ words: [], stdinPath: undefined }];
  let pendingRedirect: '<' | '>' | undefined;
  for (const [, sign, word, rest] of tokens) {
    if (rest !== undefined) throw new Error(`A quote is not closed in: ${line}`);
    const command = commands.at(-1);
    if (sign === '|') commands.push({ words: [], stdinPath: undefined });
    else if (sign !== undefined) pendingRedirect = sign as '<' | '>';
    else if (pendingRedirect === undefined) command?.words.push(unquote(word ?? ''));
    else {
      if (pendingRedirect === '<' && command !== undefined) command.stdinPath = unquote(word ?? '');
      pendingRedirect = undefined;
    }
  }
  return commands;
}

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"/gs, (_, single?: string, double?: string) => {
    return single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1');
  });
}
