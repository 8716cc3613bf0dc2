import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the relative links in the Markdown pages of an installed package that lead to missing files, as `<page>: <link>`. */
export function findBrokenLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('node_modules'),
  );
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(
      ([, target = '']) => target,
    );
    const relative = links.filter((target) => !/^[a-z]+:/.test(target));
    return relative
      .filter((target) => !existsSync(join(folder, dirname(page), target)))
      .map((link) => `${page}: ${link}`);
  });
}
