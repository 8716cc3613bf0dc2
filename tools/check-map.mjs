// Compares MAP.md with the repository. It fails if
//   - a path in backticks does not exist, or a pattern such as `*.queries.ts` matches no file;
//   - the block of import directions differs from `tools/import-directions.cjs`, the source of the dependency rules.
// It has no dependencies and only reads files.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ignoredFolders = new Set(['.git', '.turbo', 'coverage', 'dist', 'node_modules']);

/** Folders that paths in MAP.md may be relative to. */
const bases = [
  '',
  'apps/server/src/',
  'apps/server/',
  'apps/cli/src/',
  'apps/cli/src/import/',
  'packages/statement-reader/src/csv/',
];

/**
 * Returns the mistakes in MAP.md, one sentence each.
 * @param text the text of MAP.md
 * @param paths all files and folders of the repository, relative to its root; folders end with a slash
 * @param directions the exports of tools/import-directions.cjs
 */
export function findMapMistakes({ text, paths, directions }) {
  const mistakes = pathsNamedIn(text)
    .filter((path) => !exists(path, paths))
    .map((path) => `\`${path}\` does not exist.`);
  const expected = formatDirections(directions);
  const block = /## Direction of imports\n[^#]*?```text\n([^`]*?)```/.exec(text)?.[1];
  if (block === undefined) mistakes.push('The section "Direction of imports" has no block of import directions.');
  else if (block !== expected)
    mistakes.push(`The import directions differ from tools/import-directions.cjs. Write:\n${expected}`);
  return mistakes;
}

/** Returns the import directions in the format of the block in MAP.md. */
export function formatDirections({ packages, server, resources, importOfCli, csv }) {
  const rowsOfServer = Object.entries(server).map(([name, { imports, types = [] }]) => [
    name,
    [...imports, ...types.map((type) => `types of ${type}`)],
  ]);
  const blocks = [
    ['packages', Object.entries(packages)],
    ['modules of apps/server/src', rowsOfServer],
    ['resources of apps/server/src/resources', Object.entries(resources)],
    ['modules of apps/cli/src/import', Object.entries(importOfCli)],
    ['modules of packages/statement-reader/src/csv', Object.entries(csv)],
  ];
  const width = Math.max(...blocks.flatMap(([, rows]) => rows.map(([name]) => name.length)));
  const formatRow = ([name, targets]) => `  ${name.padEnd(width)} → ${targets.join(', ') || 'none'}`;
  return blocks.map(([title, rows]) => `${title}\n${rows.map(formatRow).join('\n')}\n`).join('\n');
}

/** Returns the words between backticks that look like paths: they contain a slash or a file extension such as `.ts`. */
function pathsNamedIn(text) {
  const withoutBlocks = text.replace(/^```[\s\S]*?^```/gm, '');
  const words = [...withoutBlocks.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code.split(/\s+/));
  const isPath = (word) => /^[.\w*<][^@{}()…]*(?:\/|\.(?:cjs|md|mjs|json|sql|ts))/.test(word);
  return [...new Set(words.filter(isPath))];
}

/** Returns whether a path exists below one of the bases. A path without a folder also matches in any folder. */
function exists(path, paths) {
  const pattern = path.replace(/[.+?^$()[\]|\\]/g, '\\$&').replace(/\*|<[^>]+>/g, '[^/]+');
  const prefix = path.replace(/\/$/, '').includes('/') ? '' : '(?:.*/)?';
  const isNamed = new RegExp(`^(?:${bases.join('|')})${prefix}${pattern}/?$`);
  return paths.some((candidate) => isNamed.test(candidate));
}

/** Returns all files and folders below a folder. */
function listPaths(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (ignoredFolders.has(entry.name)) return [];
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join('/');
    return entry.isDirectory() ? [`${name}/`, ...listPaths(path)] : [name];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directions = createRequire(import.meta.url)('./import-directions.cjs');
  const mistakes = findMapMistakes({
    text: readFileSync(join(root, 'MAP.md'), 'utf8'),
    paths: listPaths(root),
    directions,
  });
  if (mistakes.length > 0) {
    process.stderr.write(
      `MAP.md differs from the repository:\n${mistakes.map((mistake) => `- ${mistake}\n`).join('')}`,
    );
    process.exitCode = 1;
  } else {
    process.stdout.write('MAP.md: all paths exist, and the directions of imports are those of the dependency rules.\n');
  }
}
