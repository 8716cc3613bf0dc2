import type { CreateCategoryInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCategoryId } from '../shared/resolve-id.js';
import { sendWrite } from '../shared/write.js';
import { categoryView } from './category-view.js';

interface CreateCategoryFlags extends WriteFlags {
  readonly kind?: string;
  readonly scope?: string;
  readonly parent?: string;
}

export function addCategoriesCreate(categories: Command, cli: Cli): void {
  defineCommand<CreateCategoryFlags>(categories, cli, {
    usage: 'create <name>',
    summary: 'Create a category',
    examples: ['centavo categories create Groceries --kind expense', 'centavo categories create Rent --scope user'],
    writes: 'withIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--kind <kind>', 'expense, income or any (default: any)')
        .option('--scope <scope>', 'tracker, or user for a category of your own (default: tracker)')
        .option('--parent <category>', 'its parent category, id or name'),
    act: async (context, flags, [name = '']) => {
      const client = await context.clientInTracker();
      const body: CreateCategoryInput = {
        name,
        kind: flags.kind as CreateCategoryInput['kind'],
        scope: flags.scope as CreateCategoryInput['scope'],
        parentId: flags.parent === undefined ? undefined : await requireCategoryId(client, flags.parent),
      };
      const category = await sendWrite(context, flags, {
        call: 'categories.create',
        body,
        preview: (options) => client.categories.create(body, options).withResponse(),
        send: (idempotencyKey) => client.categories.create(body, { idempotencyKey }),
      });
      if (category !== undefined) await context.printer.printRecord(category, categoryView(new Map()));
    },
  });
}
