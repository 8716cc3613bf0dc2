import type { Command } from 'commander';

/**
 * What was typed for a field of a request: the command's flag or argument that gives it, `amountDecimal` → `--amount`,
 * `query.limit` → `--limit`, `scopes.0` → `--scope`. A field that the command has neither for keeps its name.
 * @param path of an issue, as the API gives it
 */
export function flagOfField(path: string, command: Command): string {
  if (path === '') return 'body';
  const fields = path.split('.').filter((part) => !/^(query|header|path|\d+)$/.test(part));
  // The innermost field that the command knows: `access.trackerIds.0` is known by the latter.
  for (const field of fields.reverse()) {
    for (const word of wordsFor(field)) {
      if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
      if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
    }
  }
  return path;
}

function wordsFor(field: string): readonly string[] {
  const word = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const withoutUnit = word.replace(/-(decimal|id|ids|code)$/, '');
  return [odd[field] ?? word, withoutUnit, withoutUnit.replace(/(s|ies)$/, (end) => (end === 's' ? '' : 'y'))];
}

/** Fields whose flags are not their own words. */
const odd: Readonly<Record<string, string>> = {
  categoryIds: 'category',
  expiresAt: 'expires-in',
  trackerIds: 'for-tracker',
};
