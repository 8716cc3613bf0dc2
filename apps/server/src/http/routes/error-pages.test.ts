import { readdirSync, readFileSync } from 'node:fs';
import { type ErrorCode, errorCodes } from '@centavo/contracts';
import { expect, test } from 'vitest';

const sources = new URL('../../', import.meta.url);
const pages = new URL('../../../../../docs/errors/', import.meta.url);

/**
 * Returns a pattern for each string literal in the sources of the server, except short ones. A placeholder such as
 * `${errorCodes.NOT_FOUND.remedy}` is replaced by its value. Every other placeholder matches any text.
 */
function textsOfTheServer(): RegExp[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const code = files.map((name) => readFileSync(new URL(name, sources), 'utf8')).join('\n');
  // Joins string literals that are split over several lines.
  const joined = code.replaceAll(/'\s*\+\s*'/g, '');
  const literals = [...joined.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, filled]) =>
    (plain ?? filled ?? '').replaceAll(
      /\$\{errorCodes\.(\w+)\.remedy\}/g,
      (_, name: string) => errorCodes[name as ErrorCode].remedy,
    ),
  );
  const parts = literals.map((literal) => literal.split(/\$\{[^}]*\}/));
  return parts
    .filter((fixed) => fixed.join('').trim().length > 12)
    .map((fixed) => new RegExp(`^${fixed.map((part) => part.replaceAll(/[\^$.*+?()[\]{}|]/g, '\\$&')).join('.+')}$`));
}

const texts = textsOfTheServer();

test.each(Object.keys(errorCodes))(
  'the documentation page of %s quotes an error message that occurs in the code of the server',
  (code) => {
    const [, json = 'null'] = /```json\n([\s\S]*?)```/.exec(readFileSync(new URL(`${code}.md`, pages), 'utf8')) ?? [];
    const { error } = JSON.parse(json) as { error: { message: string } };
    expect(texts.some((text) => text.test(error.message)) ? '' : error.message).toBe('');
  },
);
