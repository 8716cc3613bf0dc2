import type * as z from 'zod';

/**
 * Returns the issues of `input` as `path CODE`, sorted. Issues that the contract's schemas add already contain a code. Zod's own issues
 * do not: this function maps them to codes in the same way as the server, whose mapping has its own tests.
 */
export function issuesOf(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return [];
  return result.error.issues.flatMap((finding) => describeIssue(finding)).sort();
}

function describeIssue(finding: z.core.$ZodIssue): string[] {
  const path = finding.path.join('.');
  if (finding.code === 'unrecognized_keys') {
    return finding.keys.map((key) => `${path === '' ? key : `${path}.${key}`} UNKNOWN_FIELD`);
  }
  return [`${path} ${codeOf(finding)}`];
}

function codeOf(finding: z.core.$ZodIssue): string {
  if (finding.code === 'custom') return String(finding.params?.code);
  if (finding.code === 'too_big') return finding.origin === 'string' ? 'TOO_LONG' : 'OUT_OF_RANGE';
  if (finding.code === 'too_small') return 'REQUIRED';
  const isAbsent = (finding.code === 'invalid_type' || finding.code === 'invalid_value') && finding.input === undefined;
  return isAbsent ? 'REQUIRED' : 'INVALID_FORMAT';
}
