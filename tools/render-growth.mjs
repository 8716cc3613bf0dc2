// Renders the report of `bench growth` as a section of a page. This module is pure.
import { counted, number, placeFigures, renderRunContext, table } from './render-bench.mjs';

const marks = [
  '<!-- growth: `node tools/run.mjs bench growth` writes the lines from here to the end mark -->',
  '<!-- growth: end -->',
];
const titles = {
  W1: 'POST /movements',
  W2: 'GET /movements, newest 50 of an account',
  W3: 'GET /balances, 16 cashboxes',
  W7: 'GET /budgets/{budgetId}, 20 lines',
  deep: 'GET /movements, the 1,000th page (10 movements a page), by cursor',
  total: 'GET /movements, newest 50 of all, with the total',
  changes: 'GET /changes, 50 of all events',
};

/** Replaces the section in a page. */
export function placeGrowth(page, section) {
  return placeFigures(page, section, marks);
}

/** Renders the results of a run. */
export function renderGrowth(report) {
  const { rounds, secondsOfRound, idleMb, depth, breadth } = report;
  const paragraphs = [
    `${renderRunContext(report)}
The values are medians of ${counted(rounds, 'round')} of ${secondsOfRound} s each. Before its first request, a server used ${idleMb} MB of memory.`,
    `Do not compare the columns with each other: they were measured minutes apart, and the speed of the machine changes. The ratios
show the cost of growth. Each round with the largest size alternated with a round on another server, whose only tracker (the small
tracker) began with ${counted(depth[0]?.movements ?? 0, 'movement')}. Each pair of rounds gives one ratio. The table has their median, with the quartiles in parentheses.`,
    ...sectionOf(depth, ({ movements }) => counted(movements, 'movement')),
    depth.map(checkOf).join('\n'),
  ];
  if (breadth.length > 0) {
    const others = (breadth.at(-1)?.trackers ?? 1) - 1;
    paragraphs.push(
      `One tracker alone, and beside ${counted(others, 'tracker')} of other users with ${counted(others * report.keysPerUser, 'API key')}:`,
      ...sectionOf(breadth, ({ trackers }) => counted(trackers, 'tracker')),
      breadth.map(checkOf).join('\n'),
    );
  }
  return `${paragraphs.join('\n\n')}\n`;
}

function checkOf({ movements, trackers, books, checkSeconds }) {
  return `- ${counted(movements, 'movement')}, ${counted(trackers, 'tracker')}: \`centavo-server check\` took ${checkSeconds} s. ${books}`;
}

/** Renders a table for each number of connections. */
function sectionOf(stages, titleOf) {
  const figures = stages[0]?.figures ?? [];
  return [...new Set(figures.map(({ connections }) => connections))].flatMap((connections) => [
    `With ${counted(connections, 'connection')}: p50 in milliseconds · CPU time of server and PostgreSQL for one request, in microseconds:`,
    tableOf(stages, connections, titleOf),
  ]);
}

function tableOf(stages, connections, titleOf) {
  const columns = ['', ...stages.map(titleOf), 'ratio of p50, largest size to small tracker', 'ratio of CPU time'];
  const rows = (stages[0]?.figures ?? [])
    .filter((figures) => figures.connections === connections)
    .map(({ workload }) => {
      const found = stages.map(({ figures }) =>
        figures.find((figure) => figure.workload === workload && figure.connections === connections),
      );
      return [
        titles[workload] ?? workload,
        ...found.map((figures) => `${figures.p50Ms.toFixed(2)} · ${number(costOf(figures) ?? '–')}`),
        spread(found.at(-1).ratios.p50),
        spread(found.at(-1).ratios.processor),
      ];
    });
  return table(columns, rows);
}

/** Returns the CPU time of the server and PostgreSQL together; null if the system does not report it. */
function costOf({ processorUs: { server, postgres } }) {
  return server === null || postgres === null ? null : server + postgres;
}

function spread(ratios) {
  if (ratios === null) return '–';
  const [middle, lower, upper] = [ratios.median, ratios.lowerQuartile, ratios.upperQuartile].map((ratio) =>
    ratio.toFixed(2),
  );
  return `${middle} (${lower}–${upper})`;
}
