import type { Member } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

export const memberView: RecordView<Member> = {
  columns: [
    { header: 'EMAIL', value: (member) => member.email, flexible: true, roomy: true },
    { header: 'NAME', value: (member) => member.displayName, flexible: true, droppable: 'last' },
    { header: 'ROLE', value: (member) => member.role },
    { header: 'STATUS', value: (member) => member.status },
    { header: 'SINCE', value: (member) => member.createdAt.slice(0, 10), droppable: 'last' },
    { header: 'REGISTERED', value: (member) => member.registeredAt.slice(0, 10), droppable: 'last' },
    { header: 'USER ID', value: (member) => member.userId, droppable: true },
  ],
  fields: ['userId', 'email', 'displayName', 'role', 'status', 'createdAt', 'registeredAt'],
};
