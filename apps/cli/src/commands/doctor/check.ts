/** What one look at the machine, the settings or the server has found. */
export interface Check {
  readonly check: string;
  /** Only `fail` makes the command fail. */
  readonly outcome: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do; null where all is well. */
  readonly remedy: string | null;
}

export function ok(check: string, found: string): Check {
  return { check, outcome: 'ok', found, remedy: null };
}

export function warn(check: string, found: string, remedy: string): Check {
  return { check, outcome: 'warn', found, remedy };
}

export function fail(check: string, found: string, remedy: string): Check {
  return { check, outcome: 'fail', found, remedy };
}
