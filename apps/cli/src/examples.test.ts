import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExampleWorld } from '../test-support/example-world.js';
import { parseShellLine } from '../test-support/shell-line.js';
import { composeProgram } from './run-cli.js';

const world = new ExampleWorld();

beforeAll(() => world.api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => world.api.server.close());
beforeEach(() => world.begin());

/** Every example of every help, with the words that lead to the command whose help it is. */
function collectExamples(): readonly { path: readonly string[]; example: string }[] {
  const program = composeProgram({ surroundings: { stdout: {}, stderr: {} } as never, exitCode: 0 });
  const collect = (command: Command, path: readonly string[]): { path: readonly string[]; example: string }[] => [
    ...examplesOf(command).map((example) => ({ path, example })),
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

describe('the examples of the help', () => {
  it.each(collectExamples())('$example', async ({ path, example }) => {
    expect(parseShellLine(example).words.slice(0, path.length)).toEqual(path);
    const { code, stderr } = await world.run(example);
    expect({ code, stderr }).toEqual({ code: 0, stderr: code === 0 ? stderr : '' });
  });
});

describe('a shell line', () => {
  it.each([
    ['centavo "b c" \'d"e\'', ['centavo', 'b c', 'd"e'], undefined],
    ['centavo --x="b c" "" > out.csv', ['centavo', '--x=b c', ''], undefined],
    ['centavo < in.txt | gzip > out.gz', ['centavo'], 'in.txt'],
    ['unzip -p in.zip | centavo import -', ['centavo', 'import', '-'], 'in.zip'],
  ])('%s is read as the shell does', (line, words, stdinPath) => {
    expect(parseShellLine(line)).toEqual({ words, stdinPath });
  });

  it('with an open quote is refused', () => {
    expect(() => parseShellLine('centavo "b')).toThrow('not closed');
  });
});
