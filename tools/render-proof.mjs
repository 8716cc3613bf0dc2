// Renders the report of the proofs as a page. This module is pure.
import { counted, number } from './render-bench.mjs';

/** Renders the page `docs/proof.md`. */
export function renderProof(report) {
  const { machine, records, unfinished } = report;
  const columns = ['id', 'promise', 'file', 'injected', 'measured', 'violations', 'run', 'seed'];
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
      seed === null ? 'none: nothing is random' : String(seed),
    ]);
  const paragraphs = [
    '# Proof',
    `\`node tools/run.mjs proof\` tests the server's promises with injected faults. It writes this page and \`docs/proof.json\`.
It ran on ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node};
all programs used 127.0.0.1. The last full run started on ${report.startedAt.slice(0, 10)} and took ${durationInWords(report.minutes)}. Some proofs
ran again alone, with more time (\`node tools/run.mjs proof bank model --minutes 45 --write\`). Each row has the start of its
run (UTC), its commit, and the duration for all promises of its file. Two files ran at the same time.

The T numbers order the promises. Each promise is in a file of \`tests/proof\`, named without \`.test.ts\`. *Injected* counts the
faults and the responses, *measured* has values that are not counts, and *violations* counts broken promises. An error
that the server reports to a client, such as 503 without a database, is not a violation. \`CENTAVO_PROOF_SEED=2035407949 node
tools/run.mjs proof chaos\` repeats the random choices of a run. Most proofs also run in \`npm run test:all\`, in a short form.
Rows marked \`short form\` come from such a run (\`node tools/run.mjs proof bulk --short --write\`).`,
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

/** Returns the summary. The promises of an incomplete proof do not count, but its violations do. */
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

/** Returns text such as ` at ed963af`, or an empty text without git. */
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
  return names.map((name) => `${words(name)} ${formatValue(counts[name])}`).join('; ');
}

/** Formats a number; returns a text, such as a number with its unit, unchanged. */
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
