import type { Command } from 'commander';
import type { Cli } from '../src/commands/shared/define.js';
import { composeProgram } from '../src/run.js';

/** A CLI without input and output, for a program that is inspected but never run. */
export const idleCli: Cli = { io: { stdout: {}, stderr: {} } as never, exitCode: 0 };

/**
 * One example of the help. `command` is the command whose help shows the example. `path` lists the words of
 * that command, such as `['centavo', 'import']`.
 */
export interface HelpExample {
  readonly path: readonly string[];
  readonly example: string;
  readonly command: Command;
}

/** Returns the examples of all help texts, including those of command groups. */
export function collectExamples(): readonly HelpExample[] {
  const program = composeProgram(idleCli);
  const collect = (command: Command, path: readonly string[]): HelpExample[] => [
    ...examplesOf(command).map((example) => ({ path, example, command })),
    ...command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => collect(one, [...path, one.name()])),
  ];
  return collect(program, ['centavo']);
}

function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, example = '']) => example);
}
