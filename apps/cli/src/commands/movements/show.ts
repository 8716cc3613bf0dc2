import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { loadMovementView } from './movement-view.js';

export function addMovementsShow(movements: Command, cli: Cli): void {
  defineCommand(movements, cli, {
    usage: 'show <id>',
    summary: 'Show one movement',
    examples: [
      'centavo movements show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11',
      'centavo movements show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 -o json',
    ],
    act: async (context, _flags, [id = '']) => {
      const client = await context.clientInTracker();
      const { data: movement, etag } = await client.movements.get(id).withResponse();
      const view = await loadMovementView(context, client);
      // The table shows the ETag for --if-match; the other formats print the API's record.
      const transfer = { header: 'TRANSFER', value: () => movement.transferGroupId };
      const columns = [
        ...view.columns,
        ...(movement.transferGroupId === null ? [] : [transfer]),
        { header: 'ETAG', value: () => etag },
      ];
      await context.printer.printRecord(movement, { ...view, columns });
    },
  });
}
