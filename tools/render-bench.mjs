// Renders the report of the benchmark as a section of a page. This module is pure and has no dependencies.

const marks = [
  '<!-- figures: `node tools/run.mjs bench` writes the lines from here to the end mark -->',
  '<!-- figures: end -->',
];

/** Replaces the results in a page, between the given marks. */
export function placeFigures(page, figures, [begin, end] = marks) {
  const beginAt = page.indexOf(begin);
  const endAt = page.indexOf(end);
  if (beginAt === -1 || endAt < beginAt) {
    throw new Error(`The page needs these two lines around the results:\n${begin}\n${end}`);
  }
  return `${page.slice(0, beginAt)}${begin}\n\n${figures.trim()}\n\n${page.slice(endAt)}`;
}

/** Formats a run as JSON in the style of this repository: each list of numbers is on one line. */
export function formatReport(report) {
  const json = JSON.stringify(report, null, 2);
  return `${json.replace(/\[[\s\d.,]+\]/g, (list) => list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'))}\n`;
}

/** Renders the results of a run. */
export function renderBench(report) {
  const { workloads, imported } = report;
  const paragraphs = [introductionOf(report)];
  if (workloads.length > 0) {
    paragraphs.push('Requests a second, and p50 and p99 in milliseconds:', ratesOf(workloads));
    paragraphs.push('Microseconds of CPU time for one request:', costsOf(workloads));
    paragraphs.push('Requests a second of each round, in order:', roundsOf(workloads));
  }
  if (imported !== null) {
    paragraphs.push(importParagraph(imported));
  }
  paragraphs.push(`\`centavo-server check\` printed afterwards: ${report.books}`);
  return `${paragraphs.join('\n\n')}\n`;
}

function introductionOf(report) {
  const reference =
    report.pgbench === null
      ? 'pgbench was not installed, so there is no reference.'
      : `pgbench ${report.pgbench} ran in alternation with Centavo.`;
  const { connections, movements, rounds, secondsOfRound } = report;
  return `${renderRunContext(report)}
The client had ${counted(connections, 'connection')}. The tracker had ${counted(movements, 'movement')} at the beginning. The values are
medians of ${counted(rounds, 'round')} of ${secondsOfRound} s each. ${reference}`;
}

/** Renders the time and the machine of a run. */
export function renderRunContext({ startedAt, commit, machine, postgres }) {
  const load = machine.load === null ? 'unknown' : machine.load.toFixed(2);
  const began = startedAt.slice(0, 16).replace('T', ' ');
  const sources = commit === null ? '' : ` of ${commit}`;
  return `This run${sources} began on ${began} UTC. The machine was ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB,
${machine.system}, Node ${machine.node} and PostgreSQL ${postgres}. The load average of the minute before the run was ${load}.`;
}

function importParagraph({ rows, seconds, rowsPerSecond, peakMemoryMb, referencePerSecond, ratio }) {
  const reference =
    ratio === null
      ? ''
      : `
pgbench inserted similar rows in batches of 100 on 4 connections, ${number(referencePerSecond[0])} a second before the import and
${number(referencePerSecond[1])} after it. The ratio is ${ratio.toFixed(2)}.`;
  return `W8, \`centavo import\` of a CSV file of ${number(rows)} rows, without rate limits, took ${number(seconds)} s:
${number(rowsPerSecond)} rows a second. The CLI had at most ${number(peakMemoryMb)} MB of memory.${reference}`;
}

function ratesOf(workloads) {
  const columns = ['', 'workload', 'Centavo', 'p50', 'p99', 'pgbench', 'p50', 'p99', 'ratio'];
  const rows = workloads.map(({ id, title, centavo, reference, ratio }) => [
    id,
    title,
    ...rateCells(centavo),
    ...rateCells(reference),
    ratio === null ? '–' : ratio.toFixed(2),
  ]);
  return table(columns, rows);
}

function rateCells(figures) {
  if (figures === null) return ['–', '–', '–'];
  return [number(figures.perSecond), figures.p50Ms.toFixed(2), figures.p99Ms.toFixed(2)];
}

function costsOf(workloads) {
  const columns = ['', 'Node', 'PostgreSQL', 'PostgreSQL under pgbench', 'the client of Centavo'];
  const cell = (microseconds) => (microseconds === null ? '–' : number(microseconds));
  const rows = workloads.map(({ id, centavo, reference }) => [
    id,
    cell(centavo.processorUs.server),
    cell(centavo.processorUs.postgres),
    cell(reference?.processorUs.postgres ?? null),
    cell(centavo.processorUs.client),
  ]);
  return table(columns, rows);
}

function roundsOf(workloads) {
  const cell = (figures) => figures?.perSecondOfRounds.map(number).join(' · ') ?? '–';
  const rows = workloads.map(({ id, centavo, reference }) => [id, cell(centavo), cell(reference)]);
  return table(['', 'Centavo', 'pgbench'], rows);
}

/** Renders a Markdown table. */
export function table(columns, rows) {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Formats a count: `"1 round"`, `"1,000 rounds"`. */
export function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats 40000 as `40,000`, in any locale. */
export function number(value) {
  const [whole, decimals] = String(value).split('.');
  const grouped = whole.replace(/\d(?=(?:\d{3})+$)/g, '$&,');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
