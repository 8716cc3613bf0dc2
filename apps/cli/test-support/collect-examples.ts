import type { Command } from 'commander';
import { composeProgram } from '../src/run.js';

/** One example of the help, the words that lead to the command whose help it is, and that command. */
export interface HelpExample {
  readonly path: readonly string[];
  readonly example: string;
  readonly command: Command;
}

/** Every example of every help. */
export function collectExamples(): readonly HelpExample[] {
  const program = composeProgram({ io: { stdout: {}, stderr: {} } as never, exitCode: 0 });
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
