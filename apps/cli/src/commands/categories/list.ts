import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { categoryView } from './category-view.js';

/** `centavo categories list` */
export function addCategoriesList(categories: Command, cli: Cli): void {
  addCommand(categories, cli, {
    usage: 'list',
    summary: 'List the categories that movements of the tracker may use',
    examples: ['centavo categories list', 'centavo categories list -o jsonl'],
    act: async (invocation) => {
      const client = await invocation.clientInTracker();
      const { data: records } = await client.categories.list();
      const names = new Map(records.map(({ id, name }) => [id, name]));
      await invocation.printer.printRecords(records, categoryView(names));
    },
  });
}
