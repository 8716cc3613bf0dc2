/** The result of one check of the machine, the settings, the server or the credential. */
export interface Check {
  readonly check: string;
  /** Only `fail` makes the command fail. */
  readonly outcome: 'ok' | 'warn' | 'fail';
  /** The result in a few words, such as `Node v22.0.0`. */
  readonly found: string;
  /** The advice to the user; null if the check passed. */
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
