import type { AuditHead } from '@centavo/sdk';
import type { Command } from 'commander';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';

/** The view of the newest event of a tracker. */
const headView: RecordView<AuditHead> = {
  columns: [
    { header: 'NUMBER', value: ({ sequence }) => String(sequence) },
    { header: 'HASH', value: ({ hash }) => hash },
    { header: 'TIME', value: ({ occurredAt }) => occurredAt },
    { header: 'REMOVED UP TO', value: ({ floorSequence }) => String(floorSequence) },
  ],
  fields: ['sequence', 'hash', 'occurredAt', 'floorSequence', 'floorHash'],
};

export function addAuditHead(audit: Command, cli: Cli): void {
  defineCommand(audit, cli, {
    usage: 'head',
    summary: 'Show the number and the hash of the newest event',
    examples: ['centavo audit head', 'centavo audit head -o json >> heads.jsonl'],
    act: async (context) => {
      const client = await context.clientInTracker();
      await context.printer.printRecord(await client.auditEvents.head(), headView);
    },
  });
}
