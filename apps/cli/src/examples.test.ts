import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectExamples, idleCli } from '../test-support/collect-examples.js';
import { ExampleWorld } from '../test-support/example-world.js';
import { parseShellLine } from '../test-support/shell-line.js';
import { composeProgram } from './run.js';

const world = new ExampleWorld();

beforeAll(() => world.api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => world.api.server.close());
beforeEach(() => world.begin());

describe('an example of the help', () => {
  it.each(collectExamples())('exits 0: $example', async ({ path, example }) => {
    expect(parseShellLine(example).words.slice(0, path.length)).toEqual(path);
    const { code, stderr } = await world.run(example);
    expect({ code, stderr }).toEqual({ code: 0, stderr: code === 0 ? stderr : '' });
  });
});

describe('the help of command groups', () => {
  const groups = composeProgram(idleCli).commands.filter(({ commands }) => commands.length > 0);

  it.each(groups.map((group) => [group.name()]))('has two to four examples for "%s"', (name) => {
    const examples = collectExamples().filter(({ path }) => path.join(' ') === `centavo ${name}`);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(examples.length).toBeLessThanOrEqual(4);
  });

  it('includes the group "movements", so the list of groups in these tests is not empty', () => {
    expect(groups.map((group) => group.name())).toContain('movements');
  });
});

describe('parseShellLine', () => {
  it.each([
    ['centavo "b c" \'d"e\'', ['centavo', 'b c', 'd"e'], undefined],
    ['centavo --x="b c" "" > out.csv', ['centavo', '--x=b c', ''], undefined],
    ['centavo < in.txt | gzip > out.gz', ['centavo'], 'in.txt'],
    ['unzip -p in.zip | centavo import -', ['centavo', 'import', '-'], 'in.zip'],
  ])('parses %s into the words of the command and the path of its standard input', (line, words, stdinPath) => {
    expect(parseShellLine(line)).toEqual({ words, stdinPath });
  });

  it('rejects an unclosed quote', () => {
    expect(() => parseShellLine('centavo "b')).toThrow('not closed');
  });
});
