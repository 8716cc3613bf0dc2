import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { namesOf, requireCategoryId } from '../shared/resolve-id.js';
import { categoryView } from './category-view.js';

/** `centavo categories show` */
export function addCategoriesShow(categories: Command, cli: Cli): void {
  addCommand(categories, cli, {
    usage: 'show <category>',
    summary: 'Show one category (id or name)',
    examples: ['centavo categories show Groceries', 'centavo categories show cat_unknown -o json'],
    act: async (invocation, _flags, [wanted = '']) => {
      const client = await invocation.clientInTracker();
      const category = await client.categories.get(await requireCategoryId(client, wanted));
      const needsName = invocation.printer.format === 'table' && category.parentId !== null;
      const names = needsName ? await namesOf(client.categories.list()) : new Map<string, string>();
      await invocation.printer.printRecord(category, categoryView(names));
    },
  });
}
