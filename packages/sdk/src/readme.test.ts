import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** The TypeScript blocks of the README, each as a file of its own beside the sources. */
function readmeFiles(): ReadonlyMap<string, string> {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((block) => block[1] ?? '');
  return new Map(blocks.map((block, index) => [join(packageFolder, 'src', `readme-block-${index + 1}.ts`), block]));
}

test('every example of the README compiles', { timeout: 60_000 }, () => {
  const files = readmeFiles();
  const configPath = join(packageFolder, 'tsconfig.json');
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(configPath, ts.sys.readFile).config,
    ts.sys,
    packageFolder,
  );
  const index = join(packageFolder, 'src', 'index.ts');
  const options = { ...config.options, noEmit: true, paths: { '@centavo/sdk': [index] } };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map((found) => `${found.file?.fileName}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`);
  expect(files.size).toBe(4);
  expect(messages).toEqual([]);
});
