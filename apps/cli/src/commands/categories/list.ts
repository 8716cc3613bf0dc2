import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { categoryView } from './category-view.js';

export function addCategoriesList(categories: Command, cli: Cli): void {
  defineCommand(categories, cli, {
    usage: 'list',
    summary: 'List the categories that movements of the tracker may use',
    examples: ['centavo categories list', 'centavo categories list -o jsonl'],
    act: async (context) => {
      const client = await context.clientInTracker();
      const { data: records } = await client.categories.list();
      const names = new Map(records.map(({ id, name }) => [id, name]));
      await context.printer.printRecords(records, categoryView(names));
    },
  });
}
