import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** A piece of code from the documentation. */
export interface DocumentedCode {
  /** The declaration, README block or file with the code: `MovementsResource.create`, `README 3`, `examples/lunch.mjs`. */
  readonly name: string;
  readonly text: string;
  readonly language: 'ts' | 'mjs';
}

/** Returns the TypeScript blocks of the README. */
export function readmeBlocks(): readonly DocumentedCode[] {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((block, index) => ({
    name: `README ${index + 1}`,
    text: block[1] ?? '',
    language: 'ts',
  }));
}

/**
 * Returns the programs of the examples folder. They import the built package by its path. In the returned text, they import it by its
 * name, as a reader would.
 */
export function examplePrograms(): readonly DocumentedCode[] {
  const folder = join(packageFolder, '../../examples');
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  return files.map((file) => ({
    name: `examples/${file}`,
    text: readFileSync(join(folder, file), 'utf8')
      .replaceAll('../packages/sdk/dist/index.js', '@centavo/sdk')
      .replaceAll('../packages/sdk/dist/webhooks.js', '@centavo/sdk/webhooks'),
    language: 'mjs',
  }));
}

/** Returns each `@example` of the sources. */
export function docExamples(): readonly DocumentedCode[] {
  return documentedDeclarations().flatMap(({ name, examples }) =>
    examples.map((text) => ({ name, text, language: 'ts' as const })),
  );
}

/** A class or function of the sources, or a public method or accessor of a class, with the examples of its docstring. */
export interface DocumentedDeclaration {
  readonly name: string;
  readonly isExported: boolean;
  readonly examples: readonly string[];
}

/** Returns the declarations of all source files except the tests. */
export function documentedDeclarations(): readonly DocumentedDeclaration[] {
  const folder = join(packageFolder, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => declarationsOf(join(folder, file)));
}

function declarationsOf(path: string): readonly DocumentedDeclaration[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return [describe(statement, '')];
    if (!ts.isClassDeclaration(statement)) return [];
    const members = statement.members
      .filter(isPublicMember)
      .map((member) => describe(member, `${statement.name?.text}.`));
    const isExported = describe(statement, '').isExported;
    return [describe(statement, ''), ...members.map((member) => ({ ...member, isExported }))];
  });
}

function isPublicMember(member: ts.ClassElement): member is ts.MethodDeclaration | ts.GetAccessorDeclaration {
  if (!ts.isMethodDeclaration(member) && !ts.isGetAccessor(member)) return false;
  return ts.isIdentifier(member.name);
}

type Declaration = ts.FunctionDeclaration | ts.ClassDeclaration | ts.MethodDeclaration | ts.GetAccessorDeclaration;

function describe(node: Declaration, prefix: string): DocumentedDeclaration {
  const tags = ts.getJSDocTags(node).filter((tag) => tag.tagName.text === 'example');
  return {
    name: `${prefix}${node.name?.getText() ?? relative(packageFolder, node.getSourceFile().fileName)}`,
    isExported: ts.getCombinedModifierFlags(node) === ts.ModifierFlags.Export,
    examples: tags.map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? ''),
  };
}
