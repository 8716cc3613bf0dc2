import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { namesOf, requireCategoryId } from '../shared/resolve-id.js';
import { categoryView } from './category-view.js';

export function addCategoriesShow(categories: Command, cli: Cli): void {
  defineCommand(categories, cli, {
    usage: 'show <category>',
    summary: 'Show one category (id or name)',
    examples: ['centavo categories show Groceries', 'centavo categories show cat_unknown -o json'],
    act: async (context, _flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const category = await client.categories.get(await requireCategoryId(client, wanted));
      const needsName = context.printer.format === 'table' && category.parentId !== null;
      const names = needsName ? await namesOf(client.categories.list()) : new Map<string, string>();
      await context.printer.printRecord(category, categoryView(names));
    },
  });
}
