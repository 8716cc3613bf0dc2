import type { Command } from 'commander';
import { toOneLine } from '../../ui/text.js';
import { normalizeName } from '../shared/choose-by-name.js';
import type { Cli } from '../shared/define.js';
import { listNames } from './list-names.js';
import { type Suggestion, suggest } from './suggest.js';

/**
 * `centavo complete SHELL -- WORDS`, which the shells call on TAB; it is hidden in the help. The command prints no
 * errors, because they would appear inside the command line that the user is typing.
 */
export function addComplete(program: Command, { io }: Cli): void {
  program
    .command('complete <shell> [words...]', { hidden: true })
    .action(async (shell: string, words: readonly string[]) => {
      const lines = await suggestLines(program, { io, shell, words }).catch(() => []);
      io.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}

async function suggestLines(
  program: Command,
  { io, shell, words }: Pick<Cli, 'io'> & { shell: string; words: readonly string[] },
): Promise<readonly string[]> {
  const suggested = suggest(program, wordsOf(shell, words));
  const { wanted, flags, typed, prefix } = suggested;
  if (wanted === 'file') return [':files'];
  const names = wanted === undefined ? [] : await listNames(io, { kind: wanted, flags });
  const fitting = [...suggested.suggestions, ...names].filter(({ value }) =>
    normalizeName(value).startsWith(normalizeName(typed)),
  );
  return fitting.map((suggestion) => renderLine(suggestion, { shell, prefix, typed }));
}

function wordsOf(shell: string, words: readonly string[]): readonly string[] {
  if (shell === 'bash') return readBashWords(words);
  if (shell === 'powershell') return [...words.slice(0, -1), (words.at(-1) ?? '').replace(/\?$/, '')];
  return words;
}

/**
 * Returns a suggestion as a line for the shell. bash splits words at colons and equals signs, and replaces only the
 * text after the last of these characters. So for bash, the line omits `--flag=` and the text up to the last colon.
 */
function renderLine(
  { value, description }: Suggestion,
  { shell, prefix, typed }: { shell: string; prefix: string; typed: string },
): string {
  const kept = shell === 'bash' ? value.slice(typed.lastIndexOf(':') + 1) : prefix + value;
  // Each line is a suggestion, so a name with a line break would become two suggestions.
  return `${toOneLine(kept)}\t${toOneLine(description)}`;
}

/**
 * Converts the words that bash passes for completion into the words that a program would receive. The words for completion
 * still have their quotes, and each `:` or `=` is a separate word.
 */
export function readBashWords(typed: readonly string[]): readonly string[] {
  const words: string[] = [];
  let isGlued = false;
  for (const word of typed) {
    const isBreak = /^[:=]+$/.test(word);
    if ((isBreak || isGlued) && words.length > 0) words[words.length - 1] += unquote(word);
    else words.push(unquote(word));
    isGlued = isBreak;
  }
  return words;
}

/** Returns a word without its quotes and backslashes. A quote may still be open. */
function unquote(word: string): string {
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)?/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single as string;
    return double === undefined ? (escaped ?? '') : (double as string).replace(/\\(["\\$`])/g, '$1');
  });
}
