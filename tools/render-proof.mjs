// Renders the report of the proofs as a page. It is pure.
import { counted, number } from './render-bench.mjs';

/** Renders the page `docs/proof.md`. */
export function renderProof(report) {
  const { machine, records, unfinished } = report;
  const columns = ['id', 'promise', 'file', 'injected', 'measured', 'violations', 'run', 'seed'];
  const rows = [...records]
    .sort(byNumber)
    .map(({ file, id, promise, injected, measured = {}, violations, startedAt, commit, minutes, seed }) => [
      id,
      promise,
      nameOf(file),
      countsOf(injected, Object.keys(injected)),
      countsOf(measured, Object.keys(measured)),
      violationsOf(violations),
      `${startedAt.slice(0, 16).replace('T', ' ')}${commitOf(commit)}, ${durationOf(minutes)}${isUnfinished(report, file) ? ', partly' : ''}`,
      seed === null ? 'none: nothing is random' : String(seed),
    ]);
  const paragraphs = [
    '# Proof',
    `What the server promises, held against injected faults by \`node tools/run.mjs proof\`, which also writes this page and
\`docs/proof.json\`: on ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB, ${machine.system}, Node
${machine.node}; everything on 127.0.0.1. The last run of all of them began on ${report.startedAt.slice(0, 10)} and took ${durationInWords(report.minutes)}; others were
run again by themselves, with more time (\`node tools/run.mjs proof bank model --minutes 45 --write\`). Each row tells when its
run began (UTC), of which commit, and how long it took for all promises of its file, two files beside each other.

The T numbers order the promises; each file of \`tests/proof\`, here without its \`.test.ts\`, has one. *Injected* counts what was
done to the server and how it answered, *measured* what is a figure and no count. What must not be is counted in *violations*
alone: an error that a client is told, such as 503 while there is no database, is none. \`CENTAVO_PROOF_SEED=2035407949 node
tools/run.mjs proof chaos\` repeats what was chosen by a seed. Every commit is tested with small figures of most of them.`,
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
  const partly = proven.length < records.length ? ' What is marked `partly` is of a proof without an end.' : '';
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

/** Returns an empty text without git. */
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
  return names.map((name) => `${words(name)} ${figure(counts[name])}`).join('; ');
}

/** Formats a number; returns a text, such as a figure with its unit, unchanged. */
function figure(value) {
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
  return Number(one.id.slice(1)) - Number(other.id.slice(1));
}

function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
