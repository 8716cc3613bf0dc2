import type { Issue, IssueCode } from '@centavo/contracts';
import type * as z from 'zod';

/**
 * Translates a schema's findings into the contract's issues, all at once.
 * @param prefix what the path starts with: `query.` or nothing for the body
 */
export function toIssues(error: z.ZodError, prefix: '' | 'query.'): Issue[] {
  return error.issues.flatMap((finding) => {
    const path = prefix + finding.path.map(String).join('.');
    if (finding.code === 'unrecognized_keys') {
      return finding.keys.map((key) => ({
        path: path === '' || path.endsWith('.') ? path + key : `${path}.${key}`,
        code: 'UNKNOWN_FIELD' as const,
        message: 'This field is not known here; check its spelling or leave it out.',
      }));
    }
    const code = codeOf(finding);
    return [{ path, code, message: messageOf(finding, code) }];
  });
}

function codeOf(finding: z.core.$ZodIssue): IssueCode {
  if (finding.code === 'custom') {
    return ((finding as { params?: { code?: IssueCode } }).params?.code ?? 'INVALID_FORMAT') as IssueCode;
  }
  if ((finding.code === 'invalid_type' || finding.code === 'invalid_value') && finding.input === undefined) {
    return 'REQUIRED';
  }
  if (finding.code === 'too_big') return finding.origin === 'string' ? 'TOO_LONG' : 'OUT_OF_RANGE';
  if (finding.code === 'too_small') return 'REQUIRED';
  return 'INVALID_FORMAT';
}

function messageOf(finding: z.core.$ZodIssue, code: IssueCode): string {
  // zod's own sentences are for those who write schemas; only what a schema of ours says goes out as it is.
  if (finding.code === 'too_big') return `Send at most ${count(finding.maximum, finding.origin)}.`;
  if (finding.code === 'too_small') return `Send at least ${count(finding.minimum, finding.origin)}.`;
  if (code === 'REQUIRED' && finding.code !== 'custom') return 'This field is required.';
  if (finding.code === 'invalid_value') return `Send one of: ${finding.values.map(String).join(', ')}.`;
  if (finding.code === 'invalid_type') return `Send a JSON ${finding.expected}.`;
  return finding.message;
}

/** Requests bound texts and lists only; numbers come as texts. */
function count(bound: number | bigint, origin: string): string {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  return `${bound} ${Number(bound) === 1 ? one : many}`;
}
