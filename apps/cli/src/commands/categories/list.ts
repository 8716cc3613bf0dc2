import type { Command } from 'commander';
import { addCommand, type Cli } from '../add-command.js';
import { categoryView } from './category-view.js';

/** `centavo categories list` */
export function addCategoriesList(categories: Command, cli: Cli): void {
  addCommand(categories, cli, {
    usage: 'list',
    summary: 'List the categories that movements of the tracker may use',
    examples: ['centavo categories list', 'centavo categories list -o jsonl'],
    act: async (invocation) => {
      const client = await invocation.clientInTracker();
      await invocation.printer.printRecords(client.categories.list(), categoryView);
    },
  });
}
