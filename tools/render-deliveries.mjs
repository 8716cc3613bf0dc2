// Renders the report of `bench deliveries` as a section of a page. This module is pure.
import { counted, number, placeFigures, renderRunContext, table } from './render-bench.mjs';

const marks = [
  '<!-- deliveries: `node tools/run.mjs bench deliveries` writes the lines from here to the end mark -->',
  '<!-- deliveries: end -->',
];

/** Replaces the section in a page. */
export function placeDeliveries(page, section) {
  return placeFigures(page, section, marks);
}

/** Renders the results of a run. */
export function renderDeliveries(report) {
  const { backlog, writes, idleSeconds, cases, idleCosts } = report;
  const paragraphs = [
    `${renderRunContext(report)}
The receivers were in one process on the same machine and answered at once, except the one that never answers. The rate was measured with a backlog: ${counted(backlog, 'event')}
for one endpoint alone, or ${number(Math.ceil(backlog / 20))} for each of 100 endpoints. A latency is the time
from the response to a write until the receiver gets the event of that write. The
percentiles are those of ${counted(writes, 'write')}. The pause after a write was 0.14 s in the rows that
begin with "one endpoint", and 0.73 s in the other two rows, whose trackers have 20 endpoints each.`,
    table(
      ['', 'deliveries a second', 'p50 in ms', 'p99 in ms'],
      cases.map(({ title, perSecond, p50Ms, p99Ms }) => [
        title,
        perSecond === null ? '–' : number(perSecond),
        number(Math.round(p50Ms)),
        number(Math.round(p99Ms)),
      ]),
    ),
    `CPU time of an idle server, in milliseconds a second, averaged over ${counted(idleSeconds, 'second')}:`,
    table(
      ['endpoints without events', 'Node', 'PostgreSQL'],
      idleCosts.map(({ endpoints, msInSecond: { server, postgres } }) => [
        number(endpoints),
        server ?? '–',
        postgres ?? '–',
      ]),
    ),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
