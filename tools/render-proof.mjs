// Renders the report of the proofs (the tests in tests/proof) as a page. This module is pure.
import { counted, number } from './render-bench.mjs';

/** Renders the page `docs/proof.md`. */
export function renderProof(report) {
  const { machine, records, unfinished } = report;
  const columns = ['id', 'promise', 'file', 'observed', 'measured', 'violations', 'run', 'seed'];
  const rows = [...records]
    .sort(byNumber)
    .map(({ file, id, promise, injected, measured = {}, violations, startedAt, commit, minutes, isShort, seed }) => [
      id,
      promise,
      nameOf(file),
      countsOf(injected, Object.keys(injected)),
      countsOf(measured, Object.keys(measured)),
      violationsOf(violations),
      `${startedAt.slice(0, 16).replace('T', ' ')}${commitOf(commit)}, ${durationOf(minutes)}${isShort ? ', short form' : ''}${isUnfinished(report, file) ? ', partly' : ''}`,
      seed === null ? 'none' : String(seed),
    ]);
  const paragraphs = [
    '# Fault-injection test results',
    `\`node tools/run.mjs proof\` tests the server's promises with injected faults. Each file of
\`tests/proof\` is a proof of one or more promises. The command writes this page and \`docs/proof.json\`.
It ran on ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node};
all programs ran on this machine and communicated over 127.0.0.1. The last full run started on
${report.startedAt.slice(0, 10)} and took ${durationInWords(report.minutes)}. Later runs of single files replace their results, often with more time
(\`node tools/run.mjs proof bank model --minutes 45 --write\`). The column *run* has the time (UTC) at which the file of the row started,
the commit, and how long the file took in that run. In a full run, two files run at the same time, except \`chaos\`, which runs alone.

The T numbers group the promises by topic. The column *file* has the name without \`.test.ts\`. *Observed* has the numbers of requests,
responses and injected faults, and some times and ratios. *Measured* has times and sizes that no promise limits. *Violations* counts
broken promises. An error that the server reports to a client, such as 503 without a database, is not a violation. To repeat the random
choices of a row, set \`CENTAVO_PROOF_SEED\` to its seed. A row without a seed makes no random choices, or has fixed seeds. Most proofs
also run in \`npm run test:all\`, in a short form. \`node tools/run.mjs proof bulk --short --write\` runs the short form and marks its
rows \`short form\`.`,
    summaryOf(report),
    [columns, columns.map(() => '---'), ...rows].map(rowOf).join('\n'),
  ];
  if (unfinished.length > 0) {
    const lines = unfinished.map(({ file, reason }) => `- \`${file}\`: ${reason}`);
    paragraphs.push('## Not proven by this run', lines.join('\n'));
  }
  return `${paragraphs.join('\n\n')}\n`;
}

/** Returns whether all proofs completed without violations. */
export function isProven({ records, unfinished }) {
  return unfinished.length === 0 && records.every(({ violations }) => total(violations) === 0);
}

/** Returns the summary. It counts the violations of all proofs, but only the promises of proofs that completed. */
function summaryOf(report) {
  const { records, unfinished } = report;
  const proven = records.filter(({ file }) => !isUnfinished(report, file));
  const found = records.reduce((sum, { violations }) => sum + total(violations), 0);
  const ends = unfinished.map(({ reason }) => /^(?:failed|stopped)/.exec(reason)?.[0] ?? 'proved nothing');
  const counts = [
    counted(proven.length, 'promise'),
    counted(found, 'violation'),
    ...[...new Set(ends)].sort().map((end) => `${counted(ends.filter((one) => one === end).length, 'proof')} ${end}`),
  ];
  const partly = proven.length < records.length ? ' Rows marked `partly` belong to a proof that did not finish.' : '';
  return `**${counts.join(', ')}.**${partly}`;
}

function isUnfinished({ unfinished }, file) {
  return unfinished.some((one) => one.file === file);
}

function durationOf(minutes) {
  return minutes < 1 ? 'less than a minute' : `${minutes} min`;
}

function durationInWords(minutes) {
  return minutes < 1 ? durationOf(minutes) : counted(minutes, 'minute');
}

/** Returns a string such as ` at ed963af`, or an empty string without git. */
function commitOf(commit) {
  return commit === null ? '' : ` at ${commit}`;
}

function nameOf(file) {
  return file.replace(/\.test\.ts$/, '');
}

function violationsOf(violations) {
  const seen = Object.keys(violations).filter((name) => violations[name] > 0);
  return seen.length === 0 ? '0' : `**${countsOf(violations, seen)}**`;
}

function countsOf(counts, names) {
  return names.map((name) => `${words(name)}: ${formatValue(counts[name])}`).join('; ');
}

/** Formats a number; returns a string, such as a number with its unit, unchanged. */
function formatValue(value) {
  return typeof value === 'string' ? value : number(value);
}

/** Splits a camelCase name into words; `p99` is one word. */
function words(name) {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[a-z]{2})(?=\d)|(?<=\d)(?=[A-Z])/g, ' ')
    .replace(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}

function rowOf(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function byNumber(one, other) {
  return Number.parseInt(one.id.slice(1), 10) - Number.parseInt(other.id.slice(1), 10);
}

function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
