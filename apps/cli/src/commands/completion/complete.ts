import type { Command } from 'commander';
import { toOneLine } from '../../ui/text.js';
import type { Cli } from '../shared/define.js';
import { foldCase } from '../shared/choose-by-name.js';
import { listNames } from './list-names.js';
import { type Proposal, propose } from './propose.js';
import { readBashWords } from './read-bash-words.js';

/**
 * `centavo complete SHELL -- WORDS`, which the shells call on TAB and people never: it is not in the help. It says
 * nothing of failures, because there is no place for that beside a half-typed line.
 */
export function addComplete(program: Command, { surroundings }: Cli): void {
  program
    .command('complete <shell> [words...]', { hidden: true })
    .action(async (shell: string, words: readonly string[]) => {
      const lines = await proposeLines(program, { surroundings, shell, words }).catch(() => []);
      surroundings.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}

async function proposeLines(
  program: Command,
  { surroundings, shell, words }: Pick<Cli, 'surroundings'> & { shell: string; words: readonly string[] },
): Promise<readonly string[]> {
  const proposed = propose(program, wordsOf(shell, words));
  const { wanted, flags, typed, prefix } = proposed;
  if (wanted === 'file') return [':files'];
  const names = wanted === undefined ? [] : await listNames(surroundings, { kind: wanted, flags });
  const fitting = [...proposed.proposals, ...names].filter(({ value }) => foldCase(value).startsWith(foldCase(typed)));
  return fitting.map((proposal) => renderLine(proposal, { shell, prefix, typed }));
}

function wordsOf(shell: string, words: readonly string[]): readonly string[] {
  if (shell === 'bash') return readBashWords(words);
  if (shell === 'powershell') return [...words.slice(0, -1), (words.at(-1) ?? '').replace(/\?$/, '')];
  return words;
}

/** bash takes colons and equals signs for the ends of words, and replaces only what comes after the last one. */
function renderLine(
  { value, description }: Proposal,
  { shell, prefix, typed }: { shell: string; prefix: string; typed: string },
): string {
  const kept = shell === 'bash' ? value.slice(typed.lastIndexOf(':') + 1) : prefix + value;
  // The lines are the protocol: a name with a line end in it would become two proposals.
  return `${toOneLine(kept)}\t${toOneLine(description)}`;
}
