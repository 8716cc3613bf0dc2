import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectExamples } from '../test-support/collect-examples.js';
import { ExampleWorld } from '../test-support/example-world.js';

const world = new ExampleWorld();

beforeAll(() => world.api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => world.api.server.close());
beforeEach(() => world.begin());

/** Runs an example, and returns its changes: the writes that the server received, and the configuration files that now differ. */
async function changesOf(example: string): Promise<{ code: number; stdout: string; changes: readonly string[] }> {
  const machine = await world.createMachine();
  const filesBefore = await readFiles(machine.configHome);
  const writesBefore = world.api.writes.length;
  const { code, stdout } = await world.run(example, machine);
  const filesAfter = await readFiles(machine.configHome);
  const paths = [...new Set([...filesBefore.keys(), ...filesAfter.keys()])];
  const changed = paths.filter((path) => filesBefore.get(path) !== filesAfter.get(path));
  return { code, stdout, changes: [...world.api.writes.slice(writesBefore), ...changed] };
}

async function readFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

/** Returns whether a command is a group. The tests below omit groups, because the examples of a group run its commands. */
const isGroup = (command: Command) => command.commands.length > 0;
const takesDryRun = (command: Command) => command.options.some(({ long }) => long === '--dry-run');
const examples = collectExamples();

describe('a command without a --dry-run flag', () => {
  const all = examples.filter(({ command }) => !isGroup(command) && !takesDryRun(command));
  const isAuditVerify = ({ path }: { readonly path: readonly string[] }) => path.slice(1).join(' ') === 'audit verify';
  const reading = all.filter((example) => !isAuditVerify(example));

  it.each(reading)('changes nothing: $example', async ({ example }) => {
    expect((await changesOf(example)).changes).toEqual([]);
  });

  it.each(all.filter(isAuditVerify))(
    'changes only profile.json if it is "audit verify": $example',
    async ({ example }) => {
      expect((await changesOf(example)).changes).toEqual([expect.stringMatching(/profile\.json$/)]);
    },
  );
});

describe('a command with --dry-run', () => {
  const writing = examples.filter(({ command }) => takesDryRun(command));

  it.each(writing)('exits 0, prints to stdout, and changes nothing: $example', async ({ path, example }) => {
    const words = path.join(' ');
    // A dry run of an import fails if a question has no answer, so it needs --yes.
    const accepted = path.at(-1) === 'import' && !example.includes('--yes') ? `${words} --yes` : words;
    const { code, stdout, changes } = await changesOf(example.replace(words, `${accepted} --dry-run`));
    expect({ code, changes }).toEqual({ code: 0, changes: [] });
    expect(stdout).not.toBe('');
  });
});
