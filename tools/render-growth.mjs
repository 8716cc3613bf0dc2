// Writes what a run of `bench growth` found as a section for people. It touches nothing: a report in, a text out.
import { counted, number, placeAndTimeOf, placeFigures, table } from './render-bench.mjs';

const marks = [
  '<!-- growth: `node tools/run.mjs bench growth` writes what stands between here and the end of it -->',
  '<!-- growth: end -->',
];
const titles = {
  W1: 'POST /movements',
  W2: 'GET /movements, newest 50 of an account',
  W3: 'GET /balances, 16 cashboxes',
  W7: 'GET /budgets/{budgetId}, 20 lines',
  deep: 'GET /movements, page 1,000 of 10 by cursor',
  total: 'GET /movements, newest 50 of all, with the total',
};

/** Puts the section in the place of the one that a page has. */
export function placeGrowth(page, section) {
  return placeFigures(page, section, marks);
}

/** Writes the figures of a run. */
export function renderGrowth(report) {
  const { rounds, secondsOfRound, idleMb, depth, breadth } = report;
  const paragraphs = [
    `${placeAndTimeOf(report)}
Medians of ${counted(rounds, 'round')} of ${secondsOfRound} s each. Each was measured in turns with another server, whose only
tracker began with ${number(depth[0]?.movements ?? 0)} movements; ratios are to that one, medians over the turns. A server that nobody had asked yet held ${idleMb} MB of memory.`,
    ...sectionOf(depth, ({ movements }) => counted(movements, 'movement')),
    depth.map(checkOf).join('\n'),
  ];
  if (breadth.length > 0) {
    const others = (breadth.at(-1)?.trackers ?? 1) - 1;
    paragraphs.push(
      `Alone, and beside ${counted(others, 'tracker')} of other users with ${counted(others * report.keysOfStranger, 'key')}:`,
      ...sectionOf(breadth, ({ trackers }) => counted(trackers, 'tracker')),
      breadth.map(checkOf).join('\n'),
    );
  }
  return `${paragraphs.join('\n\n')}\n`;
}

function checkOf({ movements, trackers, books, checkSeconds }) {
  return `- ${counted(movements, 'movement')}, ${counted(trackers, 'tracker')}: \`centavo-server check\` took ${checkSeconds} s. ${books}`;
}

/** A table for each number of connections. */
function sectionOf(stages, titleOf) {
  const figures = stages[0]?.figures ?? [];
  return [...new Set(figures.map(({ connections }) => connections))].flatMap((connections) => [
    `With ${counted(connections, 'connection')}, p50 in milliseconds and the processor time of server and PostgreSQL for one request in microseconds:`,
    tableOf(stages, connections, titleOf),
  ]);
}

function tableOf(stages, connections, titleOf) {
  const columns = ['', ...stages.map(titleOf), 'p50, last to small', 'processor, last to small'];
  const rows = (stages[0]?.figures ?? [])
    .filter((figures) => figures.connections === connections)
    .map(({ workload }) => {
      const found = stages.map(({ figures }) =>
        figures.find((figure) => figure.workload === workload && figure.connections === connections),
      );
      return [
        titles[workload] ?? workload,
        ...found.map((figures) => `${figures.p50Ms.toFixed(2)} · ${number(costOf(figures) ?? '–')}`),
        found.at(-1).ratios.p50.toFixed(2),
        found.at(-1).ratios.processor?.toFixed(2) ?? '–',
      ];
    });
  return table(columns, rows);
}

/** Without that of the client; null where the system does not tell. */
function costOf({ processorUs: { server, postgres } }) {
  return server === null || postgres === null ? null : server + postgres;
}
