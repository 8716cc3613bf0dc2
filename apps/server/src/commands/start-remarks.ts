import type { Config } from '../config.js';

/** What an operator should know before the welcome: warnings, and a demo that was asked for and is not there. Pure. */
export function startRemarks(start: {
  readonly config: Pick<Config, 'demo' | 'databaseUrl' | 'warnings'>;
  /** The user that the server is connected as, if it stands above row-level security. */
  readonly superuser: string | null;
  readonly hasDemo: boolean;
}): string[] {
  const { config, superuser, hasDemo } = start;
  const remarks = [...config.warnings];
  // The embedded PostgreSQL is nobody else's.
  if (config.databaseUrl !== null && superuser !== null) {
    remarks.push(
      `DATABASE_URL logs in as ${superuser}, who stands above row-level security and may do anything in that PostgreSQL. ` +
        'Give Centavo a user without these rights; docs/operations.md shows how.',
    );
  }
  if (config.demo && !hasDemo) {
    remarks.push(
      config.databaseUrl === null
        ? 'DEMO=on is left aside: it fills an embedded database without users, and this one has some. Set DATA_DIR to ' +
            'another folder to get the demo there.'
        : 'DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two.',
    );
  }
  return remarks;
}
